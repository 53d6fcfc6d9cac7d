import { type SetupFound } from '@domain/mailboxes';
import { type DomainHealthRecord } from '../schemas/domain-health.record';

/** Returns what each mailbox shows of its domain. An unknown score is 0, since the contract has a number. */
export function getSetup({ healthScore, statuses }: Pick<DomainHealthRecord, 'healthScore' | 'statuses'>): SetupFound {
  const { mx, spf, dkim, dmarc } = statuses;
  return { healthScore: healthScore ?? 0, mx, spf, dkim, dmarc };
}
