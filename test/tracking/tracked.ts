import { HitClassificationService } from '@domain/tracking';
import { type mongo, Types } from 'mongoose';
import { newCampaign } from '../campaigns/campaigns';
import { type Platform, type PlatformOptions, type SeededWorkspace, startPlatform } from '../harness';
import { getDatabase } from '../harness/sending';
import { Leads } from '../leads/leads';
import { seededMailbox } from '../mailboxes/sandbox';
import { HitFlood } from './hit-flood';
import { createTokens, type Sending, type Sent, toMessageId, type Tokens } from './sent';
import { campaignFigures, mailboxFigures } from './tracked-figures';

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** A platform with a campaign whose emails were sent an hour ago. */
export class Tracked {
  #serial = 0;
  /** Leads without an email so far. */
  readonly #waiting: { email: string; leadId: string }[] = [];
  readonly #flood: HitFlood;

  private constructor(
    readonly platform: Platform,
    readonly workspace: SeededWorkspace,
    readonly mailboxId: string,
    readonly campaignId: string,
  ) {
    this.#flood = new HitFlood(platform);
  }

  static async start(options: PlatformOptions = {}): Promise<Tracked> {
    const platform = await startPlatform(options);
    return Tracked.on(platform, await platform.seed.workspace());
  }

  static async on(platform: Platform, workspace: SeededWorkspace): Promise<Tracked> {
    const { _id } = await seededMailbox(platform, workspace.workspaceId);
    const campaign = await newCampaign(platform, workspace, { mailboxes: [_id] });
    return new Tracked(platform, workspace, _id, campaign._id);
  }

  get database(): mongo.Db {
    return getDatabase(this.platform);
  }

  /** Stores a send as the engine leaves it. */
  async sent(sending: Sending = {}): Promise<Sent> {
    const { links = ['https://example.com/a'], leadId: known, email: wanted, ...fields } = sending;
    const { email, leadId: lead } = await this.#addressee(known, wanted);
    const _id = new Types.ObjectId();
    const hourAgo = this.platform.clock.in(-3_600_000);
    await this.database.collection('sends').insertOne({
      _id,
      ...this.#ids(lead),
      email,
      links,
      state: 'sent',
      stepOrder: 0,
      sequenceVersion: 1,
      fence: 1,
      attempt: 1,
      messageId: toMessageId(_id),
      subject: 'Hello',
      claimedAt: hourAgo,
      handoverAt: hourAgo,
      sentAt: hourAgo,
      createdAt: hourAgo,
      updatedAt: hourAgo,
      ...fields,
    });
    return { leadId: lead, email, ...this.tokens(_id.toHexString(), links.length) };
  }

  tokens(_id: string, links: number): Tokens {
    return createTokens(this.platform, _id, links);
  }

  /** Sends a request like a browser. */
  get(path: string, headers: Record<string, string> = {}) {
    return this.platform.api.get(path).set({ 'User-Agent': CHROME, ...headers });
  }

  /** Sends this many requests in parallel. @returns the statuses */
  flood(path: string, headers: Record<string, string>, times: number): Promise<Set<number>> {
    return this.#flood.send(path, headers, times);
  }

  /** Advances the clock until hits are due for classification, and classifies them. */
  async classify(): Promise<void> {
    this.platform.clock.advance(25_000);
    await this.platform.app.get(HitClassificationService, { strict: false }).classifyDue();
  }

  /** Verdicts of the hits of an email, earliest first. */
  async hits({ _id }: Pick<Sent, '_id'>): Promise<mongo.Document[]> {
    const ofSend = { sendId: new Types.ObjectId(_id) };
    return this.database.collection('tracking_hits').find(ofSend).sort({ firstAt: 1 }).toArray();
  }

  async verdicts(sent: Pick<Sent, '_id'>): Promise<string[]> {
    return (await this.hits(sent)).map(({ kind, verdict, rule }) => `${kind}: ${verdict} (${rule})`);
  }

  async events(type: string, { _id }: Pick<Sent, '_id'>): Promise<mongo.Document[]> {
    return this.database.collection('events').find({ type, 'data.sendId': _id }).toArray();
  }

  /** Figures of the campaign, without zeros. */
  figures(): Promise<Record<string, number>> {
    return campaignFigures(this.platform, this.workspace.workspaceId, this.campaignId);
  }

  /** Figures of the mailbox over all days, without zeros. */
  mailboxFigures(): Promise<Record<string, number>> {
    return mailboxFigures(this.platform, this.mailboxId);
  }

  async lead({ leadId }: Pick<Sent, 'leadId'>): Promise<mongo.Document | null> {
    return this.database.collection('campaign_leads').findOne({ _id: new Types.ObjectId(leadId) });
  }

  close(): Promise<void> {
    this.#flood.close();
    return this.platform.close();
  }

  async #addressee(leadId?: string, email?: string): Promise<{ email: string; leadId: string }> {
    if (leadId !== undefined && email !== undefined) return { leadId, email };
    const leads = new Leads(this.platform, this.workspace, this.campaignId);
    if (email !== undefined) return { email, leadId: (await leads.add(email))[0]! };
    // Ten in parallel: one after the other would take longer than the test itself.
    if (this.#waiting.length === 0) {
      const emails = Array.from({ length: 10 }, () => `lead-${(this.#serial += 1)}-${this.campaignId}@people.test`);
      const ids = await leads.add(...emails);
      this.#waiting.push(...emails.map((one, at) => ({ email: one, leadId: ids[at]! })));
    }
    return this.#waiting.shift()!;
  }

  #ids(leadId: string) {
    return {
      workspaceId: new Types.ObjectId(this.workspace.workspaceId),
      campaignId: new Types.ObjectId(this.campaignId),
      mailboxId: new Types.ObjectId(this.mailboxId),
      leadId: new Types.ObjectId(leadId),
      stepId: new Types.ObjectId(),
      variantId: new Types.ObjectId(),
    };
  }
}
