import { randomBytes } from 'node:crypto';
import { type SendRecord } from '@domain/sends';
import { QueuesService, RedisClient } from '@platform/queues';
import { Types } from 'mongoose';
import { activated, asBoth, type Campaign, newCampaign } from '../campaigns/campaigns';
import { acceptedFrom, type ForbiddingAct, type Platform, type SeededWorkspace } from '../harness';
import { getDatabase } from '../harness/sending';
import { type Added } from '../leads/leads';
import { connected, type Mailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';
import { type Chance } from './seeded';

/**
 * Misbehaviour of the mail sandbox, by the recipient's name (tools/mail-sandbox/README.md). Left out is what stops a mailbox
 * until a person has looked at it.
 */
const MISBEHAVIOUR = [
  'greylist',
  'greylist-twice',
  'rcpt-450',
  'rcpt-421',
  'data-451',
  'data-421',
  'rcpt-550',
  'data-552',
  'slow-200',
  'drop-at-rcpt',
  'drop-at-data',
  'drop-mid-data',
  'drop-after-dot',
  'drop-after-dot-stored',
];
/** The server says nothing any more: whoever waits for it is killed or cut off before it would give up. Or it says so late. */
const SILENCE = [
  'hang-once-at-rcpt',
  'hang-once-at-data',
  'hang-after-dot',
  'hang-after-dot-stored',
  'slow-1000',
  'slow-2000',
  'slow-3000',
];
/** Recipients of which the server says nothing after it was given the message. */
const UNANSWERED = /^(drop-(mid-data|after-dot)|hang-after-dot)/;

export interface WorldOptions {
  mailboxes?: number;
  steps?: number;
  /** Settings of the campaign and of the mailboxes that differ. */
  campaign?: object;
  mailbox?: object;
  /** Names of the recipients: `name-of-a-fault.something`. */
  leads: readonly string[];
}

/** A campaign that can send everything at once, and what tests do to it. */
export class SendingUnderFaults {
  readonly acts: ForbiddingAct[] = [];
  /** Text that is in each of its emails, and may be nowhere else. */
  readonly canary: string;

  private constructor(
    readonly platform: Platform,
    readonly workspace: SeededWorkspace,
    readonly mailboxes: readonly Mailbox[],
    readonly campaign: Campaign,
    readonly leads: readonly { _id: string; email: string }[],
  ) {
    this.canary = campaign.name;
  }

  static async start(platform: Platform, options: WorldOptions): Promise<SendingUnderFaults> {
    const workspace = await platform.seed.workspace();
    const mailboxes: Mailbox[] = [];
    for (let index = 0; index < (options.mailboxes ?? 1); index += 1) {
      const more = { sendGapSeconds: 0, dailySendLimit: 5_000, ...options.mailbox };
      mailboxes.push(await connected(platform, workspace, more));
    }
    const canary = `canary-${randomBytes(8).toString('hex')}`;
    const campaign = await newCampaign(platform, workspace, {
      name: canary,
      mailboxes: mailboxes.map(({ _id }) => _id),
      emailIntervalMinutes: 0,
      sendingSchedule: { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] },
      sequence: Array.from({ length: options.steps ?? 2 }, (_, order) => ({
        subject: order === 0 ? 'Hello' : '',
        body: `<p>Number ${order} of ${canary}</p>`,
        delay: { value: 0, unit: 'hours' },
      })),
      ...options.campaign,
    });
    const domain = `${randomBytes(4).toString('hex')}.people.test`;
    const leads = options.leads.map((name) => ({ email: `${name}@${domain}` }));
    const path = `/v1/campaigns/${campaign._id}/leads`;
    const added = dataOf<Added>(await platform.api.as(workspace.key).post(path).send({ leads }).expect(201));
    return new SendingUnderFaults(platform, workspace, mailboxes, campaign, added.leads);
  }

  get workspaceId(): string {
    return this.workspace.workspaceId;
  }

  begin(): Promise<void> {
    return activated(this.platform, this.workspaceId, this.campaign._id);
  }

  async accepted(): Promise<number> {
    return (await acceptedFrom(new Set(this.mailboxes.map(({ email }) => email)))).length;
  }

  /** A server is being given an email, or one of which that is not known. */
  async isGiving(): Promise<boolean> {
    return (await this.sends()).some(({ state }) => state === 'sending');
  }

  sends(): Promise<SendRecord[]> {
    const of = { workspaceId: new Types.ObjectId(this.workspaceId) };
    return getDatabase(this.platform).collection<SendRecord>('sends').find(of).toArray();
  }

  /**
   * Emails of which it is unknown whether they arrived although the server did nothing to make it so: those that were just
   * being given when their worker was killed, or cut off from its turn or its server.
   */
  async unexplained(): Promise<number> {
    const uncertain = (await this.sends()).filter(({ state }) => state === 'ambiguous' || state === 'sent_unconfirmed');
    return uncertain.filter(({ email }) => !UNANSWERED.test(email)).length;
  }

  /** Leads that are still active, with what the platform says about each. */
  async unfinished(): Promise<string[]> {
    const path = `/v1/campaigns/${this.campaign._id}/leads`;
    const api = this.api.as(this.workspace.key);
    const active = dataOf<{ _id: string; email: string }[]>(
      await api.get(`${path}?status=active&limit=100`).expect(200),
    );
    return Promise.all(
      active.map(async ({ _id, email }) => {
        const { body } = await api.get(`${path}/${_id}/explain`).expect(200);
        return `${email} is active: ${JSON.stringify(body)}`;
      }),
    );
  }

  /** Does what forbids emails, and notes when that was acknowledged. */
  async forbid(what: string, act: () => Promise<unknown>, forbids: ForbiddingAct['forbids']): Promise<ForbiddingAct> {
    await act();
    const noted: ForbiddingAct = { what, at: this.platform.clock.now(), forbids };
    this.acts.push(noted);
    return noted;
  }

  async pauseCampaign(): Promise<() => Promise<void>> {
    const post = async (act: string) => {
      const { status } = await asBoth(this.api, this.workspace.key).post(`/v1/campaigns/${this.campaign._id}/${act}`);
      // It may have been completed in the meantime.
      expect([200, 409]).toContain(status);
      return status;
    };
    const status = await post('pause');
    if (status !== 200) return () => Promise.resolve();
    const noted = await this.forbid(
      'a paused campaign',
      async () => {},
      () => true,
    );
    return async () => {
      noted.until = this.platform.clock.now();
      await post('resume');
    };
  }

  async pauseMailbox({ _id }: Mailbox): Promise<() => Promise<void>> {
    const post = (act: string) => this.api.as(this.workspace.key).post(`/v1/mailboxes/${_id}/${act}`).expect(200);
    const forbids = ({ mailboxId }: SendRecord) => String(mailboxId) === _id;
    const noted = await this.forbid('a paused mailbox', async () => post('pause'), forbids);
    return async () => {
      noted.until = this.platform.clock.now();
      await post('resume');
    };
  }

  async suppress(emails: readonly string[]): Promise<void> {
    const body = { addresses: emails };
    const act = async () => this.api.as(this.workspace.key).post('/v1/suppressions').send(body).expect(201);
    await this.forbid('a suppression', act, ({ email }) => emails.includes(email));
  }

  async actOn(action: 'pause' | 'resume' | 'remove', leadIds: readonly string[]): Promise<void> {
    const path = `/v1/campaigns/${this.campaign._id}/leads/action`;
    await asBoth(this.api, this.workspace.key).post(path).send({ action, leadIds }).expect(200);
  }

  async removeLeads(leadIds: readonly string[]): Promise<void> {
    const act = () => this.actOn('remove', leadIds);
    await this.forbid('removed leads', act, ({ leadId }) => leadIds.includes(String(leadId)));
  }

  async pauseLeads(leadIds: readonly string[]): Promise<() => Promise<void>> {
    const act = () => this.actOn('pause', leadIds);
    const noted = await this.forbid('paused leads', act, ({ leadId }) => leadIds.includes(String(leadId)));
    return async () => {
      noted.until = this.platform.clock.now();
      await this.actOn('resume', leadIds);
    };
  }

  /** What FLUSHALL does to this platform; nobody else's keys are touched. */
  async flushRedis(): Promise<void> {
    const { client } = this.platform.app.get(RedisClient);
    const { prefix } = this.platform.app.get(QueuesService);
    const keys = await client.keys(`${prefix}:*`);
    if (keys.length > 0) await client.del(...keys);
  }

  /** Each mailbox's turn is asked for three times more than it should be. */
  async tripleJobs(): Promise<void> {
    const queue = this.platform.app.get(QueuesService).get('mailbox-send');
    const jobs = this.mailboxes.flatMap(({ _id: mailboxId }) =>
      [1, 2, 3].map(() => ({
        name: 'mailbox-send',
        data: { workspaceId: this.workspaceId, mailboxId },
        opts: { jobId: `again-${randomBytes(6).toString('hex')}` },
      })),
    );
    await queue.addBulk(jobs);
    const resolution = { name: 'send-resolution', data: { task: 'send-resolution' } };
    await this.platform.app.get(QueuesService).get('periodic').addBulk([resolution, resolution, resolution]);
  }

  get api(): Platform['api'] {
    return this.platform.api;
  }
}

/**
 * Names of recipients of which this share misbehaves.
 * @param silence whether servers also fall silent, which holds up the worker that waits
 */
export function mixedLeads(chance: Chance, count: number, share: number, silence = false): string[] {
  const faults = silence ? [...MISBEHAVIOUR, ...SILENCE] : MISBEHAVIOUR;
  return Array.from({ length: count }, (_, index) => {
    const name = chance.next() < share ? chance.pick(faults) : 'fine';
    return `${name}.${index}`;
  });
}
