import { type OutboundAddressService } from '@platform/outbound';

/** How the IMAP halves of a process behave; the same for all of its mailboxes. Times in milliseconds. */
export interface ImapOptions {
  /** Where private networks are allowed, so are other ports than 143 and 993. */
  readonly guard: OutboundAddressService;
  /** Whether a password may be given to a server that offers no encryption. */
  readonly allowPlaintext?: boolean;
  /** PEM certificates to trust instead of the built-in ones. */
  readonly ca?: string;
  /** How long a server may be silent: at connecting (20 000 at most), and while it owes an answer. Default 60 000. */
  readonly timeoutMs?: number;
  /** Milliseconds for which an idle connection stays open. Default 30 000. */
  readonly keepMs?: number;
  /** How long one piece of work may keep others from the connection, however busy the server looks. Default 600 000. */
  readonly taskTimeoutMs?: number;
  /** Poll interval for a server without IDLE in milliseconds. Default 60 000. */
  readonly pollMs?: number;
  /** Timeout of the liveness check (NOOP) while waiting for changes, in milliseconds. Default 20 000. */
  readonly probeMs?: number;
  /** Milliseconds after which IDLE is restarted: far below the 29 minutes of RFC 2177, to check the connection. Default 240 000. */
  readonly idleMs?: number;
}

export const DEFAULTS = {
  timeoutMs: 60_000,
  keepMs: 30_000,
  turnMs: 600_000,
  pollMs: 60_000,
  probeMs: 20_000,
  idleMs: 240_000,
} as const;
