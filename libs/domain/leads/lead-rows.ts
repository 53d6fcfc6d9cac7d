import { parseEmailAddress } from '@platform/validation';
import { type PersonField } from './schemas/lead.record';

/** A lead to insert. Texts are within `PERSON_LIMITS`, variables pass `listVariableFaults`, the time zone is valid. */
export type NewLead = {
  /** As given; validated and normalized here. */
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
  /** Index of the row, from 0. */
  index: number;
  /** Its address, in normal form if it is valid. */
  email: string;
  reason: SkipReason;
  /** Why the address is invalid; otherwise absent. */
  detail?: string;
}

export interface Candidate {
  index: number;
  email: string;
  domain: string;
  row: NewLead;
}

/** The rows with a new valid address, and the refused ones with the reason. Pure. */
export function getCandidates(rows: readonly NewLead[]): { candidates: Candidate[]; skipped: SkippedLead[] } {
  const addresses = new Set<string>();
  const candidates: Candidate[] = [];
  const skipped: SkippedLead[] = [];
  for (const [index, row] of rows.entries()) {
    const parsed = parseEmailAddress(row.email);
    if (!parsed.ok) {
      skipped.push({ index, email: row.email, reason: 'invalid_address', detail: parsed.reason });
    } else if (addresses.has(parsed.address)) {
      skipped.push({ index, email: parsed.address, reason: 'repeated' });
    } else {
      addresses.add(parsed.address);
      candidates.push({ index, email: parsed.address, domain: parsed.domain, row });
    }
  }
  return { candidates, skipped };
}
