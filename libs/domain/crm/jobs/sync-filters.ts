import { type CrmFilter } from '@adapters/crm';
import { type LeadFiltersRequest } from '@domain/leads';

/** Which of the CRM's people are pulled: as it is kept with the job. */
export interface PullFilter {
  /** ISO 8601 */
  readonly updatedSince?: string;
  readonly ownerId?: string;
  readonly listId?: string;
  readonly fields?: Readonly<Record<string, readonly string[]>>;
}

/** Which leads are pushed, as the list of leads has it. */
export type PushFilter = LeadFiltersRequest;

export function parsePullFilter(text: string): PullFilter {
  return JSON.parse(text) as PullFilter;
}

export function parsePushFilter(text: string): PushFilter {
  return JSON.parse(text) as PushFilter;
}

/** For the CRM: what was asked for, and nothing that the last sync saw already. */
export function toCrmFilter({ updatedSince, ...others }: PullFilter, since: Date | null): CrmFilter {
  const times = [updatedSince === undefined ? null : new Date(updatedSince), since].flatMap(
    (at) => at?.getTime() ?? [],
  );
  return { ...others, ...(times.length > 0 && { updatedSince: new Date(Math.max(...times)) }) };
}
