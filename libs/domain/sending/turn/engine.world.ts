import { type CampaignRecord, type CampaignShare } from '@domain/campaigns';
import { type LeadRecord } from '@domain/leads';
import { type MailboxRecord } from '@domain/mailboxes';
import { type Turn } from '@domain/sends';
import { type MailboxFacts } from '../decide/facts';
import { type NextEmail } from './next.email';
import { type CampaignAtWork, type LeadAtWork } from './turn.plan';

/** A campaign that the mailbox works for, with what is stored of it. */
export interface EngineCampaign extends CampaignAtWork {
  readonly record: CampaignRecord;
  readonly share: CampaignShare;
}

/** A lead with the email that it would be sent; none when the sequence has nothing more for it. */
export interface EngineLead extends LeadAtWork {
  readonly record: LeadRecord;
  readonly email: NextEmail | null;
}

/** The mailbox whose turn it is. */
export interface TurnMailbox {
  readonly turn: Turn;
  readonly record: MailboxRecord;
  readonly facts: MailboxFacts;
}
