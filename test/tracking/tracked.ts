import { Agent, get as ask } from 'node:http';
import { type AddressInfo } from 'node:net';
import { CampaignCountersService } from '@domain/campaigns';
import { HitClassificationService, TrackingTokenService } from '@domain/tracking';
import { type mongo, Types } from 'mongoose';
import { newCampaign } from '../campaigns/campaigns';
import { type Platform, type PlatformOptions, type SeededWorkspace, startPlatform } from '../harness';
import { getDatabase } from '../harness/sending';
import { Leads } from '../leads/leads';
import { seededMailbox } from '../mailboxes/sandbox';

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
/** In A-labels, as in Message-IDs. */
const SENDER = 'xn--bro-hoa.test';

/** A sent email, with the tokens of its links. */
export interface Sent {
  _id: string;
  leadId: string;
  email: string;
  open: string;
  clicks: string[];
  honeypot: string;
  unsubscribe: string;
}

interface Sending {
  /** Default: a new lead. */
  leadId?: string;
  email?: string;
  links?: string[];
  [field: string]: unknown;
}

/** A platform with a campaign whose emails were sent an hour ago. */
export class Tracked {
  #serial = 0;
  /** Leads without an email so far. */
  readonly #waiting: { email: string; leadId: string }[] = [];
  readonly #connections = new Agent({ keepAlive: true });

  private constructor(
    readonly platform: Platform,
    readonly workspace: SeededWorkspace,
    readonly mailboxId: string,
    readonly campaignId: string,
  ) {}

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
      messageId: `<${_id.toHexString()}@${SENDER}>`,
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

  tokens(_id: string, links: number): Omit<Sent, 'leadId' | 'email'> {
    const tokens = this.platform.app.get(TrackingTokenService, { strict: false });
    return {
      _id,
      open: `/t/o/${tokens.open(_id)}.gif`,
      clicks: Array.from({ length: links }, (_, link) => `/t/c/${tokens.click(_id, link)}`),
      honeypot: `/t/h/${tokens.honeypot(_id)}`,
      unsubscribe: `/u/${tokens.unsubscribe(_id)}`,
    };
  }

  /** Sends a request like a browser. */
  get(path: string, headers: Record<string, string> = {}) {
    return this.platform.api.get(path).set({ 'User-Agent': CHROME, ...headers });
  }

  /**
   * Sends this many requests in parallel over kept-alive connections: thousands of hits through `get` would cost more
   * than their processing. Returns the statuses.
   */
  async flood(path: string, headers: Record<string, string>, times: number): Promise<Set<number>> {
    const { port } = this.platform.app.getHttpServer().address() as AddressInfo;
    const statusOf = (): Promise<number> =>
      new Promise((done, failed) => {
        ask({ host: '127.0.0.1', port, path, headers, agent: this.#connections }, (answer) => {
          answer.resume().once('end', () => done(answer.statusCode ?? 0));
        }).once('error', failed);
      });
    return new Set(await Promise.all(Array.from({ length: times }, statusOf)));
  }

  /** Advances the clock until hits are due for classification, and classifies them. */
  async judge(): Promise<void> {
    this.platform.clock.advance(25_000);
    await this.platform.app.get(HitClassificationService, { strict: false }).classifyDue();
  }

  /** Verdicts of the hits of an email, earliest first. */
  async hits({ _id }: Pick<Sent, '_id'>): Promise<mongo.Document[]> {
    return this.database
      .collection('tracking_hits')
      .find({ sendId: new Types.ObjectId(_id) })
      .sort({ firstAt: 1 })
      .toArray();
  }

  async verdicts(sent: Pick<Sent, '_id'>): Promise<string[]> {
    return (await this.hits(sent)).map(({ kind, verdict, rule }) => `${kind}: ${verdict} (${rule})`);
  }

  async events(type: string, { _id }: Pick<Sent, '_id'>): Promise<mongo.Document[]> {
    return this.database.collection('events').find({ type, 'data.sendId': _id }).toArray();
  }

  /** Figures of the campaign, without zeros. */
  async figures(): Promise<Record<string, number>> {
    const { workspaceId } = this.workspace;
    const sums = await this.platform.app
      .get(CampaignCountersService, { strict: false })
      .sum(workspaceId, [this.campaignId]);
    return nonZero(sums.get(this.campaignId)?.stats ?? {});
  }

  /** Figures of the mailbox over all days, without zeros. */
  async mailboxFigures(): Promise<Record<string, number>> {
    const days = await this.database
      .collection('mailbox_days')
      .find({ mailboxId: new Types.ObjectId(this.mailboxId) })
      .toArray();
    const sum = (name: string) => days.reduce((total, day) => total + Number(day[name]), 0);
    return nonZero({ opened: sum('opened'), clicked: sum('clicked') });
  }

  async lead({ leadId }: Pick<Sent, 'leadId'>): Promise<mongo.Document | null> {
    return this.database.collection('campaign_leads').findOne({ _id: new Types.ObjectId(leadId) });
  }

  close(): Promise<void> {
    this.#connections.destroy();
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

function nonZero(figures: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== 0));
}
