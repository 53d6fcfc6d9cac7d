import { type MailboxLease, type MailboxLeaseService } from '@domain/sends';
import { type LogService } from '@platform/observability';

/** How long a turn is held without a sign of life, in milliseconds; renewed three times in that time. */
export const LEASE_MS = 60_000;

/** A turn that is kept while somebody works in it. */
export interface RenewedMailboxLease {
  /** Aborted when the turn is lost, or with the caller's own. */
  readonly signal: AbortSignal;
  /** Call it once the work is over. */
  readonly release: () => void;
}

/** Renews the lease until released; aborts the work when the turn is lost. */
export function keepMailboxLease(
  leases: MailboxLeaseService,
  log: LogService,
  lease: MailboxLease,
  signal: AbortSignal,
): RenewedMailboxLease {
  const lost = new AbortController();
  const timer = setInterval(() => {
    leases.renew(lease, LEASE_MS).then(
      (held) => held || lost.abort(),
      (error: unknown) => log.error('A turn could not be renewed', error, { mailboxId: lease.mailboxId }),
    );
  }, LEASE_MS / 3);
  return { signal: AbortSignal.any([signal, lost.signal]), release: () => clearInterval(timer) };
}
