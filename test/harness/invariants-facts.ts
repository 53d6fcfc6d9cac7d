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

/** A line of the sandbox's other log: a message of which something has reached its server, accepted or not. */
export interface HandoverMail {
  /** When the client said DATA, and when the message's first byte was there: by the platform's clock. */
  dataAt: Date;
  at: Date;
  from: string;
  to: string[];
  messageId: string;
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

type MailboxDayFigure = 'sent' | 'opened' | 'clicked' | 'replied' | 'failed' | 'bounced';

export type CampaignDay = {
  campaignId: Types.ObjectId;
  mailboxId: Types.ObjectId | null;
  day: Date;
  figures?: Record<string, number>;
  quarters?: Record<string, Record<string, number>>;
};

/** What has to be known of a platform to decideLogin it. */
export type Observed = Pick<Platform, 'app' | 'clock'>;

/** All that is stored of the sending of a workspace, read past the platform's own code, and what the server has accepted. */
export interface SendingFacts {
  campaigns: CampaignRecord[];
  sequences: { campaignId: Types.ObjectId; version: number; steps: { _id: Types.ObjectId; order: number }[] }[];
  leads: LeadRecord[];
  sends: SendRecord[];
  events: EventRecord[];
  shares: Share[];
  mailboxes: MailboxRecord[];
  days: ({ mailboxId: Types.ObjectId; day: string } & Record<MailboxDayFigure, number>)[];
  campaignDays: CampaignDay[];
  turns: MailboxLeaseRecord[];
  accepted: AcceptedMail[];
  given: HandoverMail[];
  /** What people have answered; its mail is in no other list. `nobody`: addresses that were suppressed since nobody is there. */
  replies: { records: InboxReplyRecord[]; accepted: AcceptedMail[]; nobody: NobodyThere[] };
  /** What agents answer by themselves. */
  agentReplies: AgentReplyFacts[];
}

/** As far as it is looked at. */
export interface AgentReplyFacts {
  _id: Types.ObjectId;
  state: string;
  answeredId: Types.ObjectId;
  turn: number;
  replyId: Types.ObjectId | null;
}

/** A line of the ledger of opt-outs for an address that a server does not know, of no email of a campaign. */
interface NobodyThere {
  value: string;
  reason: string | null;
}

/** Mail of these senders that the sandbox has accepted, oldest first. */
export function acceptedFrom(senders: ReadonlySet<string>): Promise<AcceptedMail[]> {
  return logged<AcceptedMail>('acceptedLog', senders);
}

/** Messages of these senders that the sandbox has been given, in the order in which it had seen enough of them. */
async function listHandoverMail(senders: ReadonlySet<string>, clock: Platform['clock']): Promise<HandoverMail[]> {
  type Line = Omit<HandoverMail, 'dataAt' | 'at'> & { dataAt: string; time: string };
  const lines = await logged<Line>('givenLog', senders);
  return lines.map(({ dataAt, time, from, to, messageId }) => {
    return { dataAt: clock.shownAt(new Date(dataAt)), at: clock.shownAt(new Date(time)), from, to, messageId };
  });
}

async function logged<T extends { from: string }>(
  name: 'acceptedLog' | 'givenLog',
  senders: ReadonlySet<string>,
): Promise<T[]> {
  const text = await readFile(mailSandbox()[name], 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return ''; // nothing was written yet
  });
  // The last line may be in the middle of being written.
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
    ...(await handedOn(connection, workspaceId)),
    turns: await all('mailbox_turns'),
    agentReplies: await all('agent_replies'),
    accepted: accepted.filter((mail) => !isReply(mail)),
    given: (await listHandoverMail(senders, clock)).filter((mail) => !isReply(mail)),
    replies: {
      records: replies,
      accepted: accepted.filter(isReply),
      nobody: await all('suppression_ledger', { source: 'bounce', sendId: null }),
    },
  };
}

/** As of one moment: the relay works on when everything else rests. */
async function handedOn(
  connection: Connection,
  workspaceId: Types.ObjectId,
): Promise<Pick<SendingFacts, 'events' | 'campaignDays'>> {
  return connection.transaction(async (session) => {
    const all = async <T>(name: string) =>
      (await connection.db!.collection(name).find({ workspaceId }, { session }).toArray()) as T[];
    return { events: await all('events'), campaignDays: await all('campaign_days') };
  });
}

/** It counts as sent: the sequence has gone on after it. */
export function countsAsSent({ state }: { state: string }): boolean {
  return state === 'sent' || state === 'sent_unconfirmed';
}

export function groupedBy<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}
