import { readFile } from 'node:fs/promises';
import { type CampaignRecord } from '@domain/campaigns';
import { type EventRecord } from '@domain/events';
import { type LeadRecord } from '@domain/leads';
import { type MailboxRecord } from '@domain/mailboxes';
import { type MailboxTurnRecord, type SendRecord } from '@domain/sends';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { type Platform } from './platform';

/** A line of the sandbox's log (tools/mail-sandbox): a message that its server has taken responsibility for. */
export interface AcceptedMail {
  time: string;
  from: string;
  to: string[];
  messageId: string;
  subject: string;
  /** False when the sender never got its 250. */
  answered: boolean;
  queueId: string;
}

/** An act after whose acknowledgement emails must not be given away, until it is taken back. */
export interface ForbiddingAct {
  what: string;
  /** When it was acknowledged, by the platform's clock. */
  at: Date;
  /** When it was asked to be taken back, if it was. */
  until?: Date;
  forbids(send: SendRecord): boolean;
}

type Share = {
  campaignId: Types.ObjectId;
  mailboxId: Types.ObjectId | null;
  newLeads: number;
  stats: Record<string, number>;
  leads: Record<string, number>;
  steps: Record<string, Record<string, number>>;
};

/** All that is stored of the sending of a workspace, read past the platform's own code, and what the server has accepted. */
export interface SendingWorld {
  campaigns: CampaignRecord[];
  sequences: { campaignId: Types.ObjectId; version: number; steps: { _id: Types.ObjectId; order: number }[] }[];
  leads: LeadRecord[];
  sends: SendRecord[];
  events: EventRecord[];
  shares: Share[];
  mailboxes: MailboxRecord[];
  days: { mailboxId: Types.ObjectId; day: string; sent: number; failed: number; bounced: number }[];
  turns: MailboxTurnRecord[];
  accepted: AcceptedMail[];
}

/** Mail of these senders that the sandbox has accepted, oldest first. */
export async function acceptedFrom(senders: ReadonlySet<string>): Promise<AcceptedMail[]> {
  const { acceptedLog } = JSON.parse(process.env['MAIL_SANDBOX'] ?? '{}') as { acceptedLog: string };
  const text = await readFile(acceptedLog, 'utf8');
  // The last line may be in the middle of being written.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.flatMap((line) => {
    const mail = line === '' ? undefined : (JSON.parse(line) as AcceptedMail);
    return mail && senders.has(mail.from) ? [mail] : [];
  });
}

export async function sendingWorld({ app }: Pick<Platform, 'app'>, workspace: string): Promise<SendingWorld> {
  const { db } = app.get<Connection>(getConnectionToken());
  const workspaceId = new Types.ObjectId(workspace);
  const all = async <T>(name: string) => (await db!.collection(name).find({ workspaceId }).toArray()) as T[];
  const mailboxes = await all<MailboxRecord>('mailboxes');
  return {
    mailboxes,
    campaigns: await all('campaigns'),
    sequences: await all('campaign_sequences'),
    leads: await all('campaign_leads'),
    sends: await all('sends'),
    events: await all('events'),
    shares: await all('campaign_mailboxes'),
    days: await all('mailbox_days'),
    turns: await all('mailbox_turns'),
    accepted: await acceptedFrom(new Set(mailboxes.map(({ email }) => email))),
  };
}

/** It counts as sent: the sequence has gone on after it. */
export function countsAsSent({ state }: Pick<SendRecord, 'state'>): boolean {
  return state === 'sent' || state === 'sent_unconfirmed';
}

export function groupedBy<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}
