import { parseEmailAddress } from '@platform/validation';
import { type PersonField } from './schemas/lead.record';

/** A lead to add. Texts are within `PERSON_LIMITS`, variables pass `variableFaults`, the zone is one. */
export type NewLead = {
  /** As it was given: it is checked and brought into its normal form here. */
  email: string;
  variables?: Record<string, string>;
  /** IANA name. */
  timezone?: string | null;
} & { [field in PersonField]?: string };

export const SKIP_REASONS = [
  'repeated',
  'already_in_campaign',
  'removed_from_campaign',
  'suppressed',
  'invalid_address',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** A row that did not become a lead. */
export interface SkippedLead {
  /** Its place among the rows, from 0. */
  index: number;
  /** Its address, in normal form where it has one. */
  email: string;
  reason: SkipReason;
  /** Why the address is none; absent otherwise. */
  detail?: string;
}

export interface Candidate {
  index: number;
  email: string;
  domain: string;
  row: NewLead;
}

/** Rows with an address that no row before them has, and the others with the reason. Pure. */
export function getCandidates(rows: readonly NewLead[]): { candidates: Candidate[]; skipped: SkippedLead[] } {
  const seen = new Set<string>();
  const candidates: Candidate[] = [];
  const skipped: SkippedLead[] = [];
  for (const [index, row] of rows.entries()) {
    const parsed = parseEmailAddress(row.email);
    if (!parsed.ok) {
      skipped.push({ index, email: row.email, reason: 'invalid_address', detail: parsed.reason });
    } else if (seen.has(parsed.address)) {
      skipped.push({ index, email: parsed.address, reason: 'repeated' });
    } else {
      seen.add(parsed.address);
      candidates.push({ index, email: parsed.address, domain: parsed.domain, row });
    }
  }
  return { candidates, skipped };
}
