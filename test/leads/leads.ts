import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type Platform, type SeededWorkspace } from '../harness';
import { asBoth } from '../campaigns/campaigns';
import { dataOf } from '../workspaces/people';
import { type Added, type Page, type Lead } from './lead-responses';

type Stored = Record<string, unknown> & { _id: Types.ObjectId };

/** The leads of one campaign, as tests use them. */
export class Leads {
  constructor(
    readonly platform: Platform,
    readonly workspace: Pick<SeededWorkspace, 'key' | 'workspaceId'>,
    readonly campaignId: string,
  ) {}

  get path(): string {
    return `/v1/campaigns/${this.campaignId}/leads`;
  }

  post(body: object, key = this.workspace.key) {
    return this.platform.api.as(key).post(this.path).send(body);
  }

  async add(...emails: string[]): Promise<string[]> {
    const added = dataOf<Added>(await this.post({ leads: emails.map((email) => ({ email })) }).expect(201));
    return added.leads.map(({ _id }) => _id);
  }

  act(body: object, key = this.workspace.key) {
    return asBoth(this.platform.api, key).post(`${this.path}/action`).send(body);
  }

  async modified(body: object): Promise<number> {
    const { modifiedCount } = dataOf<{ modifiedCount: number }>(await this.act(body).expect(200));
    return modifiedCount;
  }

  async list(query = ''): Promise<Page> {
    return (await this.platform.api.as(this.workspace.key).get(`${this.path}${query}`).expect(200)).body as Page;
  }

  async get(leadId: string): Promise<Lead> {
    return dataOf<Lead>(await this.platform.api.as(this.workspace.key).get(`${this.path}/${leadId}`));
  }

  patch(leadId: string, body: object) {
    return this.platform.api.as(this.workspace.key).patch(`${this.path}/${leadId}`).send(body);
  }

  /** Email and status of each lead, oldest first. */
  async standing(): Promise<[string, string][]> {
    return (await this.list('?limit=100')).data
      .map(({ email, status }): [string, string] => [email, status])
      .toReversed();
  }

  /** Writes fields of a lead, as the engine does. */
  async set(leadId: string, fields: Record<string, unknown>): Promise<void> {
    await this.#model('LeadRecord').updateOne(
      { workspaceId: this.workspace.workspaceId, _id: leadId },
      { $set: fields },
    );
  }

  /** Completes the campaign, as the engine does without active leads. */
  async complete(): Promise<void> {
    const completed = { status: 'completed', completedAt: new Date() };
    const of = { workspaceId: this.workspace.workspaceId, _id: this.campaignId };
    await this.#model('CampaignRecord').updateOne(of, { $set: completed });
  }

  async stored(leadId: string): Promise<Stored | null> {
    return this.#model('LeadRecord').findOne({ workspaceId: this.workspace.workspaceId, _id: leadId }).lean<Stored>();
  }

  /** Stores an email that a sender has claimed. */
  async claimed(leadId: string, email: string): Promise<string> {
    const [_id, mailboxId] = [new Types.ObjectId(), new Types.ObjectId()];
    const [stepId, variantId] = [new Types.ObjectId(), new Types.ObjectId()];
    await this.#model('SendRecord').create({
      _id,
      workspaceId: this.workspace.workspaceId,
      campaignId: this.campaignId,
      leadId,
      stepId,
      variantId,
      mailboxId,
      email,
      stepOrder: 0,
      sequenceVersion: 1,
      state: 'claimed',
      fence: 1,
      claimedAt: new Date(),
      messageId: `<${_id.toHexString()}@senders.test>`,
    });
    await this.set(leadId, { sendId: _id, mailboxId, dueAt: null });
    return _id.toHexString();
  }

  async sendState(sendId: string): Promise<unknown> {
    const send = await this.#model('SendRecord')
      .findOne({ workspaceId: this.workspace.workspaceId, _id: sendId })
      .lean<Stored>();
    return send?.['state'];
  }

  async events(): Promise<Stored[]> {
    const of = { workspaceId: this.workspace.workspaceId, campaignId: this.campaignId };
    return this.#model('EventRecord').find(of).sort({ _id: 1 }).lean<Stored[]>();
  }

  /** Next run time of the mailbox; undefined before it was first scheduled. */
  async findLease(mailboxId: string): Promise<unknown> {
    const lease = await this.#model('MailboxLeaseRecord')
      .findOne({ workspaceId: this.workspace.workspaceId, _id: mailboxId })
      .lean<Stored>();
    return lease?.['nextAt'];
  }

  #model(name: string): Model<Record<string, unknown>> {
    return this.platform.app.get<Model<Record<string, unknown>>>(getModelToken(name), { strict: false });
  }
}
