import { type LimitName } from '../decide/facts';
import { getNextAt } from '../pipeline/mailbox-send-interval';
import { type Idle, isPollOnly, nextPollAt, planNextSend } from '../pipeline/plan-next-send';
import { EMAILS_PER_RUN } from '../pipeline/mailbox-send-interval';
import { BinaryHeap } from './binary-heap';
import { SimulatedCampaignState } from './simulated-campaign-state';
import { SimulatedShareState } from './simulated-share-state';
import { SimulatedLeadState } from './simulated-lead-state';
import { SimulatedMailboxState } from './simulated-mailbox-state';
import { type SimulatedSend, type SimulatedStep, type SimulatedWait, type SimulationInput } from './simulation-input';
import { waitsFor } from './simulation-waits';

/** Leads and mailboxes per slice, some milliseconds of work; other requests run between slices. */
const SLICE = 250;
/** The cost of a plan that is known to find nothing, relative to a full plan. */
const QUIET_PLAN_COST = 0.1;

export interface SimulationHooks {
  /** Called for each email of each campaign, in the order of their times. */
  onSend?: (send: SimulatedSend) => void;
  /** Called every few milliseconds of work. @throws to end the simulation */
  pause?: () => Promise<void>;
}

/** The forecast for the requested campaign. */
export interface SimulationResult {
  sends: number;
  /** Emails by mailbox for each day, in the campaign's zone, on which something is sent; in order of the days. */
  perDay: Map<string, Map<string, number>>;
  /** When the last of its leads is done; null if that is not before the end. */
  finishesAt: Date | null;
  /** Milliseconds that its mailboxes wait, by limit. */
  waits: Map<LimitName, number>;
  /** When the simulation reached its work limit before its end; else null. */
  cutAt: Date | null;
}

/**
 * Simulates what the engine sends if every email is accepted at once and no lead replies. It runs the engine's own
 * planner over campaigns and leads in memory; its clock moves from run to run. Pure apart from `pause`.
 */
export function simulate(input: SimulationInput, hooks: SimulationHooks = {}): Promise<SimulationResult> {
  return new Simulation(input, hooks).run();
}

class Simulation {
  readonly #mailboxes = new Map<string, SimulatedMailboxState>();
  readonly #campaigns = new Map<string, SimulatedCampaignState>();
  readonly #queue = new BinaryHeap<SimulatedMailboxState>(actsBefore);
  readonly #campaign: SimulatedCampaignState | undefined;
  readonly #result: SimulationResult = { sends: 0, perDay: new Map(), finishesAt: null, waits: new Map(), cutAt: null };
  #lastSentAt: Date | null = null;
  #plans = 0;

  constructor(
    private readonly input: SimulationInput,
    private readonly hooks: SimulationHooks,
  ) {
    const { mailboxes, campaigns, start } = input;
    for (const mailbox of mailboxes) this.#mailboxes.set(mailbox.id, new SimulatedMailboxState(mailbox, start));
    for (const campaign of campaigns) this.#addCampaign(new SimulatedCampaignState(campaign));
    this.#addLeads();
    for (const mailbox of this.#mailboxes.values()) {
      mailbox.sortShares();
      this.#queue.push(mailbox);
    }
    this.#campaign = this.#campaigns.get(input.campaignId ?? '');
  }

  async run(): Promise<SimulationResult> {
    const { end, maxPlans = Infinity } = this.input;
    let sliced = 0;
    while (this.#goesOn()) {
      const mailbox = this.#queue.pop();
      if (!mailbox?.nextAt || mailbox.nextAt >= end) break;
      mailbox.now = mailbox.nextAt;
      if (this.#plans >= maxPlans) return { ...this.#result, cutAt: mailbox.now };
      await this.#run(mailbox);
      if (mailbox.nextAt !== null) this.#queue.push(mailbox);
      if (this.#plans - sliced >= SLICE) {
        sliced = this.#plans;
        await this.hooks.pause?.();
      }
    }
    return { ...this.#result, finishesAt: this.#campaign?.open === 0 ? this.#lastSentAt : null };
  }

  #goesOn(): boolean {
    return this.input.campaignId === null || (this.#campaign?.open ?? 0) > 0;
  }

  async #run(mailbox: SimulatedMailboxState): Promise<void> {
    for (let sent = 0; sent < EMAILS_PER_RUN; sent += 1) {
      const { quiet } = mailbox;
      this.#plans += quiet ? QUIET_PLAN_COST : 1;
      const plan = quiet ?? (await planNextSend(mailbox));
      this.#plans += mailbox.passed;
      mailbox.passed = 0;
      if (plan.kind === 'idle') {
        if (!quiet) mailbox.quietUntil(plan.nextAt);
        if (!quiet || (mailbox.wait && mailbox.wait.until <= mailbox.now.getTime()))
          mailbox.wait = this.#waitOf(mailbox);
        this.#wait(mailbox, plan);
        return;
      }
      this.#send(mailbox, plan.campaign, plan.lead);
    }
    mailbox.isPoll = false;
    mailbox.nextAt = mailbox.now;
  }

  /**
   * Returns what keeps the mailbox from sending for the requested campaign; null if the campaign has nothing for it.
   */
  #waitOf(mailbox: SimulatedMailboxState): SimulatedWait | null {
    const share = mailbox.shares.find(({ campaign }) => campaign === this.#campaign);
    if (!share?.campaign.open || share.campaign.startsAt > mailbox.now) return null;
    return waitsFor(mailbox, share);
  }

  #wait(mailbox: SimulatedMailboxState, plan: Idle): void {
    mailbox.nextAt = mailbox.orStart(nextPollAt(plan, mailbox.now));
    mailbox.isPoll = isPollOnly(plan, mailbox.now);
    if (mailbox.wait === null) return;
    const { reason } = mailbox.wait;
    const { waits } = this.#result;
    const end = this.input.end.getTime();
    waits.set(
      reason,
      (waits.get(reason) ?? 0) + Math.min(mailbox.nextAt?.getTime() ?? end, end) - mailbox.now.getTime(),
    );
  }

  #send(mailbox: SimulatedMailboxState, share: SimulatedShareState, lead: SimulatedLeadState): void {
    const { now } = mailbox;
    const { campaign } = share;
    const step = campaign.steps[lead.step] as SimulatedStep;
    mailbox.take(lead, share);
    const record = { emailIntervalMinutes: campaign.input.emailIntervalMinutes };
    share.nextAt = getNextAt({ id: campaign.id, record }, { id: lead.id, email: { step: { _id: step.id } } }, now);
    share.lastServedAt = now;
    mailbox.served(share);
    if (lead.isNew && !lead.hadSender) share.took();
    campaign.take(lead, now.getTime());
    this.#advance(share, lead, now);
    this.#report(campaign, {
      at: now,
      mailboxId: mailbox.id,
      campaignId: campaign.id,
      leadId: lead.id,
      stepId: step.id,
    });
  }

  /** Changes the lead as the outcome of an accepted email does. */
  #advance(share: SimulatedShareState, lead: SimulatedLeadState, sentAt: Date): void {
    const { campaign } = share;
    lead.sentCount += 1;
    lead.step += 1;
    lead.postponed = false;
    const next = campaign.steps[lead.step];
    if (!next) {
      campaign.open -= 1;
      return;
    }
    lead.dueAt = campaign.days.afterDelay(sentAt.getTime(), next.delay);
    share.followUps.push(lead);
  }

  #report(campaign: SimulatedCampaignState, send: SimulatedSend): void {
    this.hooks.onSend?.(send);
    if (campaign !== this.#campaign) return;
    const { perDay } = this.#result;
    const day = campaign.days.dayOf(send.at.getTime());
    const byMailbox = perDay.get(day) ?? new Map<string, number>();
    byMailbox.set(send.mailboxId, (byMailbox.get(send.mailboxId) ?? 0) + 1);
    perDay.set(day, byMailbox);
    this.#result.sends += 1;
    this.#lastSentAt = send.at;
  }

  #addCampaign(campaign: SimulatedCampaignState): void {
    this.#campaigns.set(campaign.id, campaign);
    for (const share of campaign.input.shares) {
      const mailbox = this.#mailboxes.get(share.mailboxId);
      mailbox?.shares.push(new SimulatedShareState(share, campaign, mailbox));
    }
  }

  #addLeads(): void {
    const leads = this.input.leads.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    leads.forEach((lead, order) => {
      const campaign = this.#campaigns.get(lead.campaignId);
      if (!campaign) return;
      const state = new SimulatedLeadState(lead, order, campaign);
      campaign.open += 1;
      // A lead whose sender never belonged to the campaign is in no row: it keeps the campaign from being completed.
      campaign.rowOf(lead.mailboxId)?.push(state);
    });
  }
}

/** Orders runs by time, then by the mailboxes' ids. */
function actsBefore(one: SimulatedMailboxState, other: SimulatedMailboxState): boolean {
  const difference = (one.nextAt?.getTime() ?? Infinity) - (other.nextAt?.getTime() ?? Infinity);
  return difference < 0 || (!(difference > 0) && one.id < other.id);
}
