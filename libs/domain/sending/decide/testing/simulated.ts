import { afterDelay, getDay, type SendingSchedule, type StepDelay } from '@platform/time';
import { decideSend } from '../decide';
import { type CampaignFacts, type DayCount, type MailboxFacts, type SendingFacts, type Wait } from '../facts';
import { jittered, seeded } from '../seed';
import { counted, takeToken } from '../tokens';
import { campaignFacts, leadFacts, mailboxFacts } from './facts';

/** A campaign with one mailbox, from its first to its last email. */
export interface Scenario {
  start: Date;
  mailbox: Pick<MailboxFacts, 'dailySendLimit' | 'gapSeconds' | 'timezone' | 'perMinuteLimit' | 'warmupShare'>;
  campaign: Pick<CampaignFacts, 'dailyLimit' | 'newLeadsPerDay' | 'domainDailyLimit' | 'useLeadTimezone'>;
  schedule: SendingSchedule;
  intervalMs: number;
  leads: { domain: string; timezone: string | null }[];
  /** The delay of each step; the first step has none. */
  delays: StepDelay[];
  /** The delay of each run after its planned time. */
  lagMs: number;
}

/** The progress of a lead. */
interface Underway {
  index: number;
  domain: string;
  timezone: string | null;
  step: number;
  dueAt: Date;
}

export interface Sent {
  at: Date;
  lead: number;
  step: number;
}

/** More runs than any scenario needs, to detect an endless loop. */
const MAX_RUNS = 2_000;
const NONE: DayCount = { day: '', used: 0 };

/** Sends what `decide` permits, and advances to the earliest `nextEligibleAt` when it permits nothing. */
export class Simulated {
  readonly sent: Sent[] = [];
  private now: Date;
  private mailbox: MailboxFacts;
  private campaign: CampaignFacts;
  private readonly domains = new Map<string, DayCount>();
  private readonly leads: Underway[];

  constructor(
    private readonly scenario: Scenario,
    private readonly waited: (facts: SendingFacts, wait: Wait) => void,
  ) {
    this.now = scenario.start;
    this.mailbox = mailboxFacts(scenario.mailbox);
    this.campaign = campaignFacts({ ...scenario.campaign, schedule: scenario.schedule });
    this.leads = scenario.leads.map((lead, index) => ({ ...lead, index, step: 0, dueAt: scenario.start }));
  }

  run(): readonly Sent[] {
    for (let runs = 0; runs < MAX_RUNS; runs += 1) {
      const nextAt = this.step();
      if (nextAt === null) return this.sent;
      this.now = new Date(nextAt.getTime() + this.scenario.lagMs);
    }
    throw new Error(`Not finished after ${MAX_RUNS} runs, ${this.sent.length} sent`);
  }

  /** Sends at most one email. Returns the time of the next run, null when nothing is left to do. */
  private step(): Date | null {
    let nextAt: Date | null = null;
    for (const lead of this.leads) {
      const facts = this.factsOf(lead);
      const decision = decideSend(facts);
      if (decision.kind === 'send') {
        this.send(lead);
        return this.now;
      }
      if (decision.kind === 'stop') continue;
      this.waited(facts, decision);
      const { nextEligibleAt } = decision;
      if (nextEligibleAt !== null && (nextAt === null || nextEligibleAt < nextAt)) nextAt = nextEligibleAt;
    }
    return nextAt;
  }

  private factsOf({ domain, timezone, step, dueAt }: Underway): SendingFacts {
    const lead = leadFacts({
      dueAt,
      timezone,
      isNew: step === 0,
      hasNextStep: step <= this.scenario.delays.length,
      domainUsedToday: this.domains.get(domain) ?? NONE,
    });
    return { now: this.now, mailbox: this.mailbox, campaign: this.campaign, lead };
  }

  private send(lead: Underway): void {
    const { schedule, delays, intervalMs } = this.scenario;
    const { domain } = lead;
    const day = getDay(this.now, schedule.timezone);
    this.sent.push({ at: this.now, lead: lead.index, step: lead.step });
    this.mailbox = { ...this.mailbox, ...takeToken(this.mailbox, this.now) };
    this.domains.set(domain, counted(this.domains.get(domain) ?? NONE, day));
    const { usedToday, newLeadsToday } = this.campaign;
    this.campaign = {
      ...this.campaign,
      nextAt: new Date(this.now.getTime() + jittered(intervalMs, seeded(lead.index, lead.step))),
      usedToday: counted(usedToday, day),
      newLeadsToday: lead.step === 0 ? counted(newLeadsToday, day) : newLeadsToday,
    };
    const delay = delays[lead.step];
    if (delay) lead.dueAt = afterDelay(this.now, delay, schedule);
    lead.step += 1;
  }
}
