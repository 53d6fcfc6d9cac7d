import { type SendRecord } from '@domain/sends';
import { Types } from 'mongoose';
import { activated, asBoth, type Campaign } from '../campaigns/campaigns';
import { acceptedFrom, type ForbiddingAct, type Platform, type SeededWorkspace } from '../harness';
import { getDatabase } from '../harness/sending';
import { type Mailbox } from '../mailboxes/sandbox';
import {
  createCampaign,
  createLeads,
  createMailboxes,
  explainActiveLeads,
  type ScenarioOptions,
} from './scenario-campaign';
import { UNANSWERED } from './recipient-faults';
import { flushRedis, tripleJobs } from './queue-faults';

/** A campaign that can send all emails at once, and the acts of a test on it. */
export class SendingUnderFaults {
  readonly acts: ForbiddingAct[] = [];
  /** Text that is in each of its emails, and must appear nowhere else. */
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

  static async start(platform: Platform, options: ScenarioOptions): Promise<SendingUnderFaults> {
    const workspace = await platform.seed.workspace();
    const mailboxes = await createMailboxes(platform, workspace, options);
    const campaign = await createCampaign(platform, workspace, mailboxes, options);
    const leads = await createLeads(platform, workspace, campaign, options.leads);
    return new SendingUnderFaults(platform, workspace, mailboxes, campaign, leads);
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

  /** Whether an email is being submitted, or its outcome is not yet written. */
  async isSubmitting(): Promise<boolean> {
    return (await this.sends()).some(({ state }) => state === 'sending');
  }

  sends(): Promise<SendRecord[]> {
    const of = { workspaceId: new Types.ObjectId(this.workspaceId) };
    return getDatabase(this.platform).collection<SendRecord>('sends').find(of).toArray();
  }

  /**
   * Number of emails with an unknown outcome that no fault of the server explains: they were in transit when their
   * worker was killed, or cut off from its lease or its server.
   */
  async unexplained(): Promise<number> {
    const uncertain = (await this.sends()).filter(({ state }) => state === 'ambiguous' || state === 'sent_unconfirmed');
    return uncertain.filter(({ email }) => !UNANSWERED.test(email)).length;
  }

  /** Leads that are still active, with the platform’s explanation of each. */
  unfinished(): Promise<string[]> {
    return explainActiveLeads(this.platform, this.workspace, this.campaign);
  }

  /** Does an act that forbids emails, and records when it was acknowledged. */
  async forbid(what: string, act: () => Promise<unknown>, forbids: ForbiddingAct['forbids']): Promise<ForbiddingAct> {
    await act();
    const noted: ForbiddingAct = { what, at: this.platform.clock.now(), forbids };
    this.acts.push(noted);
    return noted;
  }

  async pauseCampaign(): Promise<() => Promise<void>> {
    const post = async (act: string) => {
      const { status } = await asBoth(this.api, this.workspace.key).post(`/v1/campaigns/${this.campaign._id}/${act}`);
      // The campaign may have been completed in the meantime.
      expect([200, 409]).toContain(status);
      return status;
    };
    const status = await post('pause');
    if (status !== 200) return () => Promise.resolve();
    const forbids = () => true;
    const noted = await this.forbid('a paused campaign', () => Promise.resolve(), forbids);
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

  flushRedis(): Promise<void> {
    return flushRedis(this.platform);
  }

  tripleJobs(): Promise<void> {
    return tripleJobs(this.platform, this.workspaceId, this.mailboxes);
  }

  get api(): Platform['api'] {
    return this.platform.api;
  }
}
