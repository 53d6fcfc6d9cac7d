import { mailSandbox } from '@testing';
import { readFile } from 'node:fs/promises';
import { type CampaignRecord } from '@domain/campaigns';
import { type EventRecord } from '@domain/events';
import { type InboxReplyRecord } from '@domain/inbox';
import { type LeadRecord } from '@domain/leads';
import { type MailboxRecord } from '@domain/mailboxes';
import { type MailboxLeaseRecord, type SendRecord } from '@domain/sends';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { type Platform } from './platform';

/** A line of the sandbox's log (tools/mail-sandbox): a message for which its server took responsibility. */
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

/** A line of the sandbox's other log: a message of which at least a part reached its server, accepted or not. */
export interface HandoverMail {
  /** Time of DATA and of the first byte of the message, by the platform's clock. */
  dataAt: Date;
  at: Date;
  from: string;
  to: string[];
  messageId: string;
}

/** An act after whose acknowledgement no email may be sent, until it is reverted. */
export interface ForbiddingAct {
  what: string;
  /** When it was acknowledged, by the platform's clock. */
  at: Date;
  /** When its reversal was requested, if it was. */
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

type MailboxDayFigure = 'sent' | 'opened' | 'clicked' | 'replied' | 'failed' | 'bounced';

export type CampaignDay = {
  campaignId: Types.ObjectId;
  mailboxId: Types.ObjectId | null;
  day: Date;
  figures?: Record<string, number>;
  quarters?: Record<string, Record<string, number>>;
};

/** Facts of a platform that the invariants check. */
export type Observed = Pick<Platform, 'app' | 'clock'>;

/** All stored records about the sending of a workspace, read directly, and the messages that the server accepted. */
export interface SendingFacts {
  campaigns: CampaignRecord[];
  sequences: { campaignId: Types.ObjectId; version: number; steps: { _id: Types.ObjectId; order: number }[] }[];
  leads: LeadRecord[];
  sends: SendRecord[];
  events: EventRecord[];
  /** The ids of events that wait for relay. */
  pendingEvents: Types.ObjectId[];
  shares: Share[];
  mailboxes: MailboxRecord[];
  days: ({ mailboxId: Types.ObjectId; day: string } & Record<MailboxDayFigure, number>)[];
  campaignDays: CampaignDay[];
  leases: MailboxLeaseRecord[];
  accepted: AcceptedMail[];
  given: HandoverMail[];
  /** Replies by people; their mail is in no other list. `unknown`: addresses suppressed because they do not exist. */
  replies: { records: InboxReplyRecord[]; accepted: AcceptedMail[]; unknown: UnknownAddress[] };
  /** Automatic replies of agents. */
  agentReplies: AgentReplyFacts[];
}

/** Only the fields that are checked. */
export interface AgentReplyFacts {
  _id: Types.ObjectId;
  state: string;
  answeredId: Types.ObjectId;
  position: number;
  replyId: Types.ObjectId | null;
}

/** A line of the opt-out ledger for an address that a server rejected as unknown, without an email of a campaign. */
interface UnknownAddress {
  value: string;
  reason: string | null;
}

/** Mail of these senders that the sandbox has accepted, oldest first. */
export function acceptedFrom(senders: ReadonlySet<string>): Promise<AcceptedMail[]> {
  return logged<AcceptedMail>('acceptedLog', senders);
}

/** Messages of these senders that were submitted to the sandbox, in order. */
async function listHandoverMail(senders: ReadonlySet<string>, clock: Platform['clock']): Promise<HandoverMail[]> {
  type Line = Omit<HandoverMail, 'dataAt' | 'at'> & { dataAt: string; time: string };
  const lines = await logged<Line>('submittedLog', senders);
  return lines.map(({ dataAt, time, from, to, messageId }) => {
    return { dataAt: clock.shownAt(new Date(dataAt)), at: clock.shownAt(new Date(time)), from, to, messageId };
  });
}

async function logged<T extends { from: string }>(
  name: 'acceptedLog' | 'submittedLog',
  senders: ReadonlySet<string>,
): Promise<T[]> {
  const text = await readFile(mailSandbox()[name], 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return ''; // Nothing was written yet.
  });
  // The last line may be incomplete.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.flatMap((line) => {
    const mail = line === '' ? undefined : (JSON.parse(line) as T);
    return mail && senders.has(mail.from) ? [mail] : [];
  });
}

export async function readSendingFacts({ app, clock }: Observed, workspace: string): Promise<SendingFacts> {
  const connection = app.get<Connection>(getConnectionToken());
  const { db } = connection;
  const workspaceId = new Types.ObjectId(workspace);
  const all = async <T>(name: string, filter: object = {}) =>
    (await db!
      .collection(name)
      .find({ workspaceId, ...filter })
      .toArray()) as T[];
  const mailboxes = await all<MailboxRecord>('mailboxes');
  const senders = new Set(mailboxes.map(({ email }) => email));
  const replies = await all<InboxReplyRecord>('inbox_replies');
  const written = new Set(replies.map(({ messageId }) => messageId));
  const isReply = ({ messageId }: { messageId: string }) => written.has(messageId);
  const accepted = await acceptedFrom(senders);
  return {
    mailboxes,
    campaigns: await all('campaigns'),
    sequences: await all('campaign_sequences'),
    leads: await all('campaign_leads'),
    sends: await all('sends'),
    shares: await all('campaign_mailboxes'),
    days: await all('mailbox_days'),
    ...(await readRelayed(connection, workspaceId)),
    leases: await all('mailbox_leases'),
    agentReplies: await all('agent_replies'),
    accepted: accepted.filter((mail) => !isReply(mail)),
    given: (await listHandoverMail(senders, clock)).filter((mail) => !isReply(mail)),
    replies: {
      records: replies,
      accepted: accepted.filter(isReply),
      unknown: await all('suppression_ledger', { source: 'bounce', sendId: null }),
    },
  };
}

/** A snapshot: the relay continues when everything else is idle. */
async function readRelayed(
  connection: Connection,
  workspaceId: Types.ObjectId,
): Promise<Pick<SendingFacts, 'events' | 'pendingEvents' | 'campaignDays'>> {
  return connection.transaction(async (session) => {
    const all = async <T>(name: string) =>
      (await connection.db!.collection(name).find({ workspaceId }, { session }).toArray()) as T[];
    const waiting = await all<{ eventIds: Types.ObjectId[] }>('event_outbox');
    const deferred = await all<{ _id: Types.ObjectId }>('event_deferred');
    const pendingEvents = [...waiting.flatMap(({ eventIds }) => eventIds), ...deferred.map(({ _id }) => _id)];
    return { events: await all('events'), pendingEvents, campaignDays: await all('campaign_days') };
  });
}

/** It counts as sent: the sequence has continued after it. */
export function countsAsSent({ state }: { state: string }): boolean {
  return state === 'sent' || state === 'sent_unconfirmed';
}

export function groupedBy<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}
