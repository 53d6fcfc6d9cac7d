import { type CrmFilter } from '@adapters/crm';
import { type LeadFiltersRequest } from '@domain/leads';

/** The stored filter of a pull. */
export interface PullFilter {
  /** ISO 8601 */
  readonly updatedSince?: string;
  readonly ownerId?: string;
  readonly listId?: string;
  readonly fields?: Readonly<Record<string, readonly string[]>>;
}

/** The filter of a push: as in the list of leads. */
export type PushFilter = LeadFiltersRequest;

export function parsePullFilter(text: string): PullFilter {
  return JSON.parse(text) as PullFilter;
}

export function parsePushFilter(text: string): PushFilter {
  return JSON.parse(text) as PushFilter;
}

/** The filter for the CRM: as requested, and only changes since the last sync. */
export function toCrmFilter({ updatedSince, ...others }: PullFilter, since: Date | null): CrmFilter {
  const times = [updatedSince === undefined ? null : new Date(updatedSince), since].flatMap(
    (at) => at?.getTime() ?? [],
  );
  return { ...others, ...(times.length > 0 && { updatedSince: new Date(Math.max(...times)) }) };
}
