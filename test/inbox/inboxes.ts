import { randomUUID } from 'node:crypto';
import { MailIntakeService } from '@domain/inbox';
import { MailboxRecord } from '@domain/mailboxes';
import { getModelToken } from '@nestjs/mongoose';
import { type ApiClient } from '@testing';
import { type Model, Types } from 'mongoose';
import {
  type GmailServer,
  type GraphServer,
  startGmailServer,
  startGraphServer,
} from '../../libs/adapters/mail/testing';
import { OAuthServer } from '../../libs/domain/mailboxes/testing';
import { SEQUENCE, activated, newCampaign } from '../campaigns/campaigns';
import { type Platform, type PlatformOptions, type SeededWorkspace, startPlatform } from '../harness';
import { Leads } from '../leads/leads';
import { OAuthConsents } from '../mailboxes/oauth';
import { dataOf } from '../workspaces/people';

export interface Attachment {
  index: number;
  name: string;
  contentType: string;
  size: number;
  downloadUrl: string;
}

export interface Message {
  _id: string;
  kind: string;
  direction: string;
  at: string;
  subject: string;
  text: string | null;
  attachments: Attachment[];
  [field: string]: unknown;
}

export interface Conversation {
  _id: string;
  leadId: string | null;
  campaignId: string | null;
  mailboxId: string;
  subject: string;
  unread: boolean;
  label: string | null;
  [field: string]: unknown;
}

export interface ConversationDetail extends Conversation {
  messages: Message[];
  earlier: string | null;
}

export interface Page {
  data: Conversation[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

/** A mailbox at a vendor, connected by consent. */
export interface VendorInbox {
  mailboxId: string;
  address: string;
  receive(raw: string, at?: Date): Promise<void>;
  /** Moves all mail out of the inbox, as its owner does. */
  archive(): void;
}

/** A lead that got an email. */
export interface Written {
  campaignId: string;
  leadId: string;
  email: string;
  messageId: string;
}

interface SentOptions {
  /** Default: a new campaign. */
  campaignId?: string;
  /** Send time of each email. Default: one email, an hour ago. */
  sentAt?: readonly Date[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EMAILS = ['Your roadmap', 'Re: Your roadmap', 'Re: Your roadmap'];

/** A workspace with mailboxes at local vendors, whose mail the real drivers read. */
export class Inboxes {
  readonly api: ApiClient;
  readonly #consents: OAuthConsents;

  private constructor(
    readonly platform: Platform,
    readonly oauth: OAuthServer,
    readonly gmail: GmailServer,
    readonly graph: GraphServer,
    readonly workspace: SeededWorkspace,
  ) {
    this.api = platform.api.as(workspace.key);
    this.#consents = new OAuthConsents(platform, oauth, workspace);
  }

  static async start(options: PlatformOptions = {}): Promise<Inboxes> {
    const [oauth, gmail, graph] = await Promise.all([OAuthServer.start(), startGmailServer(), startGraphServer()]);
    const env = { ...oauth.env, GMAIL_API_URL: gmail.url, GRAPH_API_URL: graph.url, ...options.env };
    const platform = await startPlatform({ ...options, env });
    return new Inboxes(platform, oauth, gmail, graph, await platform.seed.workspace());
  }

  async close(): Promise<void> {
    await this.platform.close();
    await Promise.all([this.oauth.close(), this.gmail.close(), this.graph.close()]);
  }

  /** Another workspace on the same servers. */
  async elsewhere(): Promise<Inboxes> {
    return new Inboxes(this.platform, this.oauth, this.gmail, this.graph, await this.platform.seed.workspace());
  }

  async connect(vendor: 'google' | 'microsoft' = 'google'): Promise<VendorInbox> {
    const address = `${randomUUID()}@${vendor}.test`;
    const { tokens, receive, archive } = vendor === 'google' ? this.#atGoogle(address) : this.#atMicrosoft(address);
    const { session } = await this.#consents.connect(this.oauth.account(vendor, address, tokens));
    const mailboxId = session.mailboxId ?? '';
    await this.takeIn(mailboxId);
    await this.#looksBack(mailboxId);
    return {
      mailboxId,
      address,
      archive,
      receive: async (raw, at) => {
        await receive(Buffer.from(raw.replaceAll(/\r?\n/g, '\r\n')), at);
        await this.takeIn(mailboxId);
      },
    };
  }

  /** Reads the mailbox and completes all work that follows from its mail. */
  async takeIn(mailboxId: string): Promise<void> {
    const { workspaceId } = this.workspace;
    const mailbox = await this.model<MailboxRecord>('MailboxRecord')
      .findOne({ _id: mailboxId, workspaceId })
      .orFail()
      .lean<MailboxRecord>();
    const intake = this.platform.app.get(MailIntakeService, { strict: false });
    await intake.ensureFresh(mailbox, 0, AbortSignal.timeout(20_000));
  }

  /** An active campaign of the mailbox. */
  async campaign(mailboxId: string, more: object = {}): Promise<string> {
    const { _id } = await newCampaign(this.platform, this.workspace, {
      mailboxes: [mailboxId],
      sequence: SEQUENCE,
      ...more,
    });
    await activated(this.platform, this.workspace.workspaceId, _id);
    return _id;
  }

  /** Stores a new lead with its emails, as the engine does. */
  async written(
    { mailboxId }: Pick<VendorInbox, 'mailboxId'>,
    email: string,
    { campaignId: given, sentAt = [new Date(Date.now() - HOUR_MS)] }: SentOptions = {},
  ): Promise<Written> {
    const campaignId = given ?? (await this.campaign(mailboxId));
    const leads = new Leads(this.platform, this.workspace, campaignId);
    const [leadId = ''] = await leads.add(email);
    const { workspaceId } = this.workspace;
    let messageId = '';
    for (const [stepOrder, at] of sentAt.entries()) {
      const _id = new Types.ObjectId();
      messageId = `<${_id.toHexString()}@senders.test>`;
      await this.model('SendRecord').create({
        _id,
        workspaceId,
        campaignId,
        leadId,
        mailboxId,
        email,
        stepOrder,
        messageId,
        stepId: new Types.ObjectId(),
        variantId: new Types.ObjectId(),
        sequenceVersion: 1,
        fence: 1,
        state: 'sent',
        subject: EMAILS[stepOrder],
        claimedAt: at,
        handoverAt: at,
        sentAt: at,
      });
    }
    const thread = { mailboxId: new Types.ObjectId(mailboxId), sentCount: sentAt.length, lastSentAt: sentAt.at(-1) };
    await leads.set(leadId, thread);
    return { campaignId, leadId, email, messageId };
  }

  /** A lead that got an email and has answered. @returns its conversation */
  async answered(
    mailbox: VendorInbox,
    email: string,
    { campaignId, ...more }: Partial<MailParts> & Pick<SentOptions, 'campaignId'> = {},
  ): Promise<Conversation> {
    const { leadId, messageId } = await this.written(mailbox, email, campaignId === undefined ? {} : { campaignId });
    await mailbox.receive(mailFrom({ from: email, inReplyTo: messageId, ...more }));
    return this.ofLead(leadId);
  }

  async ofLead(leadId: string): Promise<Conversation> {
    const { data } = await this.list('?limit=100');
    const found = data.find((conversation) => conversation.leadId === leadId);
    if (!found) throw new Error('The lead has no conversation');
    return found;
  }

  /** The conversation with a person who is not a lead. */
  async untrackedWith(email: string): Promise<Conversation> {
    const [found] = (await this.list(`?tracked=false&search=${encodeURIComponent(email)}`)).data;
    if (!found) throw new Error(`There is no conversation with ${email}`);
    return found;
  }

  async list(query = ''): Promise<Page> {
    return (await this.api.get(`/v1/inbox${query}`).expect(200)).body as Page;
  }

  async read(conversationId: string, query = ''): Promise<ConversationDetail> {
    return dataOf<ConversationDetail>(await this.api.get(`/v1/inbox/${conversationId}${query}`));
  }

  patch(conversationId: string, body: object) {
    return this.api.patch(`/v1/inbox/${conversationId}`).send(body);
  }

  async events(type: string): Promise<Record<string, unknown>[]> {
    const { workspaceId } = this.workspace;
    return this.model('EventRecord').find({ workspaceId, type }).sort({ _id: 1 }).lean<Record<string, unknown>[]>();
  }

  model<T = Record<string, unknown>>(name: string): Model<T> {
    return this.platform.app.get<Model<T>>(getModelToken(name), { strict: false });
  }

  /** Includes mail from before the connection of the mailbox. */
  async #looksBack(mailboxId: string): Promise<void> {
    const of = { _id: new Types.ObjectId(mailboxId), workspaceId: this.workspace.workspaceId };
    const back = { since: new Date(Date.now() - 30 * DAY_MS), cursor: null };
    await this.model('MailboxSyncRecord').updateOne(of, { $set: back });
  }

  #atGoogle(address: string) {
    const tokens = new Set<string>();
    const mailbox = this.gmail.mailbox(address, tokens);
    const receive = async (raw: Buffer, at?: Date) => void mailbox.deliver(raw, undefined, at ?? null);
    const archive = () => [...mailbox.messages.keys()].forEach((id) => mailbox.relabel(id, [], ['INBOX']));
    return { tokens, receive, archive };
  }

  #atMicrosoft(address: string) {
    const mailbox = this.graph.mailbox(address);
    const receive = async (raw: Buffer, at?: Date) =>
      void (await mailbox.store(raw, { ...(at && { receivedAt: at }) }));
    const archive = () => mailbox.in('inbox').forEach((message) => mailbox.move(message, 'archive'));
    return { tokens: mailbox.tokens, receive, archive };
  }
}

interface MailFile {
  name: string;
  type?: string;
  content: Buffer;
}

interface MailParts {
  from: string;
  replyTo: string;
  inReplyTo: string;
  references: string;
  subject: string;
  text: string;
  id: string;
  files: readonly MailFile[];
}

let serial = 0;

/** A reply, optionally with files. */
export function mailFrom({
  from,
  replyTo = '',
  inReplyTo,
  references = inReplyTo,
  subject = 'Re: Your roadmap',
  text = 'Thanks, who else uses it?',
  id = `<answer-${process.pid}-${(serial += 1)}@elsewhere.test>`,
  files = [],
}: Partial<MailParts> & Pick<MailParts, 'from'>): string {
  const head =
    `From: Ada Lovelace <${from}>\nTo: grace@senders.test\nMessage-ID: ${id}\nSubject: ${subject}\n` +
    (replyTo ? `Reply-To: ${replyTo}\n` : '') +
    (inReplyTo ? `In-Reply-To: ${inReplyTo}\n` : '') +
    (references ? `References: ${references}\n` : '') +
    'MIME-Version: 1.0\n';
  const body = `Content-Type: text/plain; charset=utf-8\n\n${text}\n`;
  if (files.length === 0) return head + body;
  const parts = [body, ...files.map(partOf)].map((part) => `--part\n${part}\n`).join('');
  return `${head}Content-Type: multipart/mixed; boundary="part"\n\n${parts}--part--\n`;
}

function partOf({ name, type = 'application/pdf', content }: MailFile): string {
  const word = `=?utf-8?B?${Buffer.from(name).toString('base64')}?=`;
  const base64 = content.toString('base64').replaceAll(/.{76}/g, '$&\n');
  return (
    `Content-Type: ${type}; name="${word}"\nContent-Disposition: attachment; filename="${word}"\n` +
    `Content-Transfer-Encoding: base64\n\n${base64}`
  );
}
