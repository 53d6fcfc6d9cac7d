import { randomUUID } from 'node:crypto';
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
import { includeOldMail, takeIn } from './intake';
import { hourAgo, storeSends, type SentOptions, type Written } from './sent-emails';
import { googleMailbox, microsoftMailbox, type VendorInbox } from './vendor-inbox';
import { type MailParts, mailFrom } from './received-mail';
import { type Conversation, type Page, type ConversationDetail } from './inbox-responses';

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
    const { tokens, receive, archive } =
      vendor === 'google' ? googleMailbox(this.gmail, address) : microsoftMailbox(this.graph, address);
    const { session } = await this.#consents.connect(this.oauth.account(vendor, address, tokens));
    const mailboxId = session.mailboxId ?? '';
    await this.takeIn(mailboxId);
    await includeOldMail(this.platform, this.workspace, mailboxId);
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

  takeIn(mailboxId: string): Promise<void> {
    return takeIn(this.platform, this.workspace, mailboxId);
  }

  /** An active campaign of the mailbox. */
  async campaign(mailboxId: string, more: object = {}): Promise<string> {
    const settings = { mailboxes: [mailboxId], sequence: SEQUENCE, ...more };
    const { _id } = await newCampaign(this.platform, this.workspace, settings);
    await activated(this.platform, this.workspace.workspaceId, _id);
    return _id;
  }

  /** Stores a new lead with its emails, as the engine does. */
  async written(
    { mailboxId }: Pick<VendorInbox, 'mailboxId'>,
    email: string,
    { campaignId: given, sentAt = [hourAgo()] }: SentOptions = {},
  ): Promise<Written> {
    const campaignId = given ?? (await this.campaign(mailboxId));
    const leads = new Leads(this.platform, this.workspace, campaignId);
    const [leadId = ''] = await leads.add(email);
    const lead = { workspaceId: this.workspace.workspaceId, campaignId, leadId, mailboxId, email };
    const messageId = await storeSends(this.model('SendRecord'), lead, sentAt);
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
}
