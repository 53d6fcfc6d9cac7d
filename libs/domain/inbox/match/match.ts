import { type CampaignRecord } from '@domain/campaigns';
import { type LeadRecord } from '@domain/leads';
import { type SendRecord } from '@domain/sends';

/** How the lead of a message was found, the most reliable first; `person`: a member attached it. */
export type MatchedBy = 'references' | 'token' | 'thread' | 'address' | 'company' | 'person';

/** The lead of a message, with its campaign. */
export interface KnownMatch {
  readonly by: MatchedBy;
  readonly lead: LeadRecord;
  readonly campaign: CampaignRecord;
  /** The email that the message answers, if known. */
  readonly send: SendRecord | null;
}

/** The result of matching a message. */
export interface Found {
  /** null when no lead was found. */
  readonly match: KnownMatch | null;
  /** The matching email of a lead that was deleted with its campaign; null when there is a match. */
  readonly former: SendRecord | null;
}

export const NOTHING_FOUND: Found = { match: null, former: null };
