import { type MailboxLease, type MailboxLeaseService } from '@domain/sends';
import { type LogService } from '@platform/observability';

/** Duration of a lease in milliseconds; it is renewed three times in that time. */
export const LEASE_MS = 60_000;

/** The renewal of a lease during a run. */
export interface RenewedMailboxLease {
  /** Aborted when the lease is lost, or with the caller's signal. */
  readonly signal: AbortSignal;
  /** Ends the renewal once the work is done. */
  readonly release: () => void;
}

/** Renews the lease until `release`; aborts the signal when the lease is lost. */
export function keepMailboxLease(
  leases: MailboxLeaseService,
  log: LogService,
  lease: MailboxLease,
  signal: AbortSignal,
): RenewedMailboxLease {
  const loss = new AbortController();
  const timer = setInterval(() => {
    leases.renew(lease, LEASE_MS).then(
      (isRenewed) => isRenewed || loss.abort(),
      (error: unknown) => log.error('A mailbox lease could not be renewed', error, { mailboxId: lease.mailboxId }),
    );
  }, LEASE_MS / 3);
  return { signal: AbortSignal.any([signal, loss.signal]), release: () => clearInterval(timer) };
}
