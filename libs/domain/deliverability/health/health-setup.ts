import { type SetupFound } from '@domain/mailboxes';
import { type DomainHealthRecord } from '../schemas/domain-health.record';

/** What each mailbox of the domain shows of it. A score that nobody knows yet is 0, as the contract's is a number. */
export function getSetup({ healthScore, statuses }: Pick<DomainHealthRecord, 'healthScore' | 'statuses'>): SetupFound {
  const { mx, spf, dkim, dmarc } = statuses;
  return { healthScore: healthScore ?? 0, mx, spf, dkim, dmarc };
}
