import { type CampaignRecord } from '@domain/campaigns';
import { type LeadRecord } from '@domain/leads';
import { type SendRecord } from '@domain/sends';

/** How it was found out what a message is about, from the surest to the least sure; or a person has said it. */
export type MatchedBy = 'references' | 'token' | 'thread' | 'address' | 'company' | 'person';

/** The lead that a message is about, with its campaign. */
export interface KnownMatch {
  readonly by: MatchedBy;
  readonly lead: LeadRecord;
  readonly campaign: CampaignRecord;
  /** The email that it answers, where that is known. */
  readonly send: SendRecord | null;
}

/** What a message is about. */
export interface Found {
  /** null: no lead is known that it could be about. */
  readonly match: KnownMatch | null;
  /** An email of ours that it is about, whose lead went with its campaign; null where there is a match. */
  readonly former: SendRecord | null;
}

export const NOTHING_FOUND: Found = { match: null, former: null };
