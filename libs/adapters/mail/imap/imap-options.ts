import { type OutboundAddressService } from '@platform/outbound';

/** Options of the IMAP connections of all mailboxes of a process. Times in milliseconds. */
export interface ImapOptions {
  /** Where private networks are allowed, all ports are allowed, not only 143 and 993. */
  readonly guard: OutboundAddressService;
  /** Whether a password may be sent to a server without encryption. */
  readonly allowPlaintext?: boolean;
  /** PEM certificates to trust instead of the built-in ones. */
  readonly ca?: string;
  /** Timeout of a connection (at most 20 000) and of a pending response. Default 60 000. */
  readonly timeoutMs?: number;
  /** Milliseconds for which an idle connection stays open. Default 30 000. */
  readonly keepMs?: number;
  /** Maximum time of one task on the connection, regardless of the server's activity. Default 600 000. */
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
  taskTimeoutMs: 600_000,
  pollMs: 60_000,
  probeMs: 20_000,
  idleMs: 240_000,
} as const;
