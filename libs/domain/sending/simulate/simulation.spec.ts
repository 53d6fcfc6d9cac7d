import { afterDelay, getDay, type SendingSchedule, type StepDelay, windowAt } from '@platform/time';
import { rounds } from '@testing';
import fc from 'fast-check';
import { campaignFacts, mailboxFacts } from '../decide/testing/facts';
import {
  type SimulatedCampaign,
  type SimulatedLead,
  type SimulatedMailbox,
  type SimulatedSend,
  type SimulationInput,
} from './simulation-input';
import { simulate } from './simulation';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A Monday, before the window opens. */
const START = new Date('2026-11-23T06:00:00.000Z');

function idOf(kind: string, number: number): string {
  return `${kind}${String(number).padStart(6, '0')}`;
}

function mailbox(number: number, facts: Partial<SimulatedMailbox['facts']> = {}): SimulatedMailbox {
  return { id: idOf('m', number), facts: mailboxFacts({ gapSeconds: 0, dailySendLimit: 50, ...facts }) };
}

function campaign(
  number: number,
  mailboxes: readonly SimulatedMailbox[],
  given: Partial<SimulatedCampaign> & { limits?: Partial<SimulatedCampaign['facts']> } = {},
): SimulatedCampaign {
  const { limits, ...rest } = given;
  const id = idOf('c', number);
  return {
    id,
    startsAt: START,
    facts: campaignFacts(limits),
    domains: new Map(),
    followUpsFirst: true,
    emailIntervalMinutes: 0,
    steps: steps(number, [{ value: 0, unit: 'days', workingDaysOnly: false }]),
    shares: mailboxes.map(({ id: mailboxId }) => ({
      id: `${id}-${mailboxId}`,
      mailboxId,
      lastServedAt: null,
      nextAt: null,
      newLeads: 0,
    })),
    formerMailboxes: [],
    ...rest,
  };
}

function steps(number: number, delays: readonly StepDelay[]): SimulatedCampaign['steps'] {
  return delays.map((delay, order) => ({ id: `${idOf('s', number)}-${order}`, delay }));
}

function leads(count: number, of: SimulatedCampaign, given: (index: number) => Partial<SimulatedLead> = () => ({})) {
  return Array.from({ length: count }, (_, index) => ({
    id: `${of.id}-${idOf('l', index)}`,
    campaignId: of.id,
    domain: `d${index}.test`,
    freeMail: false,
    timezone: null,
    suppressed: false,
    step: 0,
    missingAt: null,
    sentCount: 0,
    mailboxId: null,
    dueAt: START,
    ...given(index),
  }));
}

async function run(input: Omit<SimulationInput, 'start' | 'end'> & { days?: number }) {
  const sent: SimulatedSend[] = [];
  const end = new Date(START.getTime() + (input.days ?? 30) * DAY_MS);
  const result = await simulate({ start: START, end, ...input }, { onSend: (send) => sent.push(send) });
  return { ...result, sent };
}

const TWO_DAYS: StepDelay = { value: 2, unit: 'days', workingDaysOnly: false };

describe('a simulation', () => {
  it('sends to each lead when the window opens, and follows up from the same mailbox after the delay', async () => {
    const boxes = [mailbox(1), mailbox(2)];
    const one = campaign(1, boxes, { steps: steps(1, [TWO_DAYS, TWO_DAYS]) });
    const { sent, finishesAt, sends, perDay } = await run({
      mailboxes: boxes,
      campaigns: [one],
      leads: leads(10, one),
      campaignId: one.id,
    });
    const opens = new Date('2026-11-23T08:00:00.000Z');
    expect(sends).toBe(20);
    expect(sent[0]!.at).toEqual(opens);
    expect([...perDay.keys()]).toEqual(['2026-11-23', '2026-11-25']);
    expect(finishesAt).toEqual(sent.at(-1)!.at);
    for (const [lead, both] of Map.groupBy(sent, ({ leadId }) => leadId)) {
      expect(both.map(({ stepId }) => stepId)).toEqual(one.steps.map(({ id }) => id));
      expect(new Set(both.map(({ mailboxId }) => mailboxId)).size).toBe(1);
      expect(both[1]!.at >= afterDelay(both[0]!.at, TWO_DAYS, one.facts.schedule)).toBe(true);
      expect(lead).toContain(one.id);
    }
    const first = sent.filter(({ stepId }) => stepId === one.steps[0]!.id);
    const ofOne = first.filter(({ mailboxId }) => mailboxId === boxes[0]!.id).length;
    expect(Math.abs(first.length - 2 * ofOne)).toBeLessThanOrEqual(2);
  });

  it('does not finish within its horizon if there is too much to send, and names the binding limit', async () => {
    const boxes = [mailbox(1, { dailySendLimit: 5 })];
    const one = campaign(1, boxes);
    const result = await run({
      mailboxes: boxes,
      campaigns: [one],
      leads: leads(100, one),
      campaignId: one.id,
      days: 7,
    });
    expect(result.sends).toBe(25);
    expect(result.finishesAt).toBeNull();
    const [most] = [...result.waits].toSorted((a, b) => b[1] - a[1])[0]!;
    expect(['mailbox_day', 'mailbox_24h', 'campaign_window']).toContain(most);
    expect([...result.waits.keys()]).toContain('mailbox_24h');
  });

  it('leaves warmup its share of each warmup day, less what warmup has sent already', async () => {
    const warmupShare = { mails: 6, weekdaysOnly: true };
    const boxes = [mailbox(1, { dailySendLimit: 10, warmupShare, day: '2026-11-23', dayUsed: 3, dayWarmup: 2 })];
    const week = { ...campaignFacts().schedule, workingDays: [1, 2, 3, 4, 5, 6, 7] };
    const one = campaign(1, boxes, { limits: { schedule: week } });
    const { perDay } = await run({
      mailboxes: boxes,
      campaigns: [one],
      leads: leads(31, one),
      campaignId: one.id,
    });
    // From Monday on; the slots of Saturday afternoon still count on Sunday morning.
    expect([...perDay.values()].flatMap((day) => [...day.values()])).toEqual([3, 4, 4, 4, 4, 10, 2]);
  });

  it('sends nothing before the requested campaign starts, and lets other campaigns continue', async () => {
    const boxes = [mailbox(1)];
    const startsAt = new Date('2026-11-24T10:00:00.000Z');
    const requested = campaign(1, boxes, { startsAt });
    const other = campaign(2, boxes);
    const all = [...leads(3, requested), ...leads(3, other)];
    const { sent } = await run({
      mailboxes: boxes,
      campaigns: [requested, other],
      leads: all,
      campaignId: requested.id,
    });
    expect(sent.filter(({ campaignId }) => campaignId === requested.id).map(({ at }) => at)).toEqual([
      startsAt,
      startsAt,
      startsAt,
    ]);
    expect(sent.filter(({ campaignId }) => campaignId === other.id)).toHaveLength(3);
    expect(sent.filter(({ campaignId }) => campaignId === other.id).every(({ at }) => at < startsAt)).toBe(true);
  });

  it('omits suppressed leads, and stops leads at the step for which they lack a variable', async () => {
    const boxes = [mailbox(1)];
    const one = campaign(1, boxes, { steps: steps(1, [TWO_DAYS, TWO_DAYS, TWO_DAYS]) });
    const given = leads(4, one, (index) => ({ suppressed: index === 0, missingAt: [null, 0, 1, 2][index] ?? null }));
    const { sent, finishesAt } = await run({ mailboxes: boxes, campaigns: [one], leads: given, campaignId: one.id });
    expect(given.map(({ id }) => sent.filter(({ leadId }) => leadId === id).length)).toEqual([0, 0, 1, 2]);
    expect(finishesAt).toEqual(sent.at(-1)!.at);
  });

  it('sends nothing from a mailbox that only a person can activate', async () => {
    const boxes = [mailbox(1, { status: 'paused' })];
    const one = campaign(1, boxes);
    const result = await run({ mailboxes: boxes, campaigns: [one], leads: leads(2, one), campaignId: one.id });
    expect(result.sent).toEqual([]);
    expect([...result.waits.keys()]).toEqual(['mailbox_paused']);
  });

  it('stops at its work limit, and returns the time of the cut', async () => {
    const boxes = [mailbox(1, { dailySendLimit: 5 })];
    const one = campaign(1, boxes);
    const result = await run({
      mailboxes: boxes,
      campaigns: [one],
      leads: leads(100, one),
      campaignId: one.id,
      maxPlans: 50,
    });
    expect(result.cutAt).not.toBeNull();
    expect(result.finishesAt).toBeNull();
  });

  it('lets other requests run at intervals', async () => {
    const boxes = [mailbox(1, { dailySendLimit: 10_000 })];
    const one = campaign(1, boxes);
    let pauses = 0;
    const pause = () => {
      pauses += 1;
      return Promise.resolve();
    };
    const end = new Date(START.getTime() + DAY_MS);
    const input = {
      start: START,
      end,
      mailboxes: boxes,
      campaigns: [one],
      leads: leads(5_000, one),
      campaignId: one.id,
    };
    await simulate(input, { pause });
    expect(pauses).toBeGreaterThan(10);
  });
});

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Pago_Pago'];
const few = (max: number) => fc.option(fc.integer({ min: 1, max }));
const delay: fc.Arbitrary<StepDelay> = fc.record({
  value: fc.integer({ min: 0, max: 4 }),
  unit: fc.constantFrom('days', 'hours'),
  workingDaysOnly: fc.boolean(),
});
const schedule: fc.Arbitrary<SendingSchedule> = fc.record({
  timezone: fc.constantFrom(...ZONES),
  startTime: fc.constantFrom('00:00', '08:30', '22:00'),
  endTime: fc.constantFrom('06:00', '12:00', '23:00'),
  workingDays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 2 }),
});
const scenarios = fc.record({
  mailboxes: fc.array(
    fc.record({
      dailySendLimit: fc.integer({ min: 1, max: 12 }),
      gapSeconds: fc.constantFrom(0, 0, 60, 1_800),
      timezone: fc.constantFrom(...ZONES),
      perMinuteLimit: few(3),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  campaigns: fc.array(
    fc.record({
      limits: fc.record({
        schedule,
        dailyLimit: few(10),
        newLeadsPerDay: few(6),
        domainDailyLimit: few(3),
        useLeadTimezone: fc.boolean(),
      }),
      followUpsFirst: fc.boolean(),
      emailIntervalMinutes: fc.constantFrom(0, 0, 5, 45),
      delays: fc.array(delay, { minLength: 1, maxLength: 3 }),
      leads: fc.integer({ min: 1, max: 25 }),
      mask: fc.integer({ min: 1, max: 15 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});
type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never;

function inputOf({ mailboxes, campaigns }: Scenario) {
  const boxes = mailboxes.map((facts, index) => mailbox(index, facts));
  const all = campaigns.map(({ limits, delays, mask, ...given }, index) => {
    const senders = boxes.filter((_, place) => place === 0 || mask & (1 << place));
    return campaign(index, senders, { ...given, limits, steps: steps(index, delays) });
  });
  const people = all.flatMap((one, index) =>
    leads(campaigns[index]!.leads, one, (place) => ({
      domain: `d${place % 3}.test`,
      timezone: place % 2 === 0 ? null : ZONES[place % ZONES.length]!,
    })),
  );
  return { mailboxes: boxes, campaigns: all, leads: people, campaignId: all[0]!.id };
}

function most<T>(values: readonly T[], key: (value: T) => string): number {
  return Math.max(0, ...[...Map.groupBy(values, key).values()].map((group) => group.length));
}

/** The shortest period, in milliseconds, with `count + 1` sends. */
function least(sent: readonly SimulatedSend[], count: number): number {
  return Math.min(Infinity, ...sent.slice(count).map(({ at }, index) => at.getTime() - sent[index]!.at.getTime()));
}

function expectMailboxKept({ id, facts }: SimulatedMailbox, sent: readonly SimulatedSend[]): void {
  const own = sent.filter(({ mailboxId }) => mailboxId === id);
  expect(most(own, ({ at }) => getDay(at, facts.timezone))).toBeLessThanOrEqual(facts.dailySendLimit);
  expect(least(own, facts.dailySendLimit)).toBeGreaterThanOrEqual(DAY_MS);
  expect(least(own, 1)).toBeGreaterThanOrEqual(facts.gapSeconds * 1_000);
  if (facts.perMinuteLimit !== null) expect(least(own, facts.perMinuteLimit)).toBeGreaterThanOrEqual(MINUTE_MS);
}

function expectCampaignKept(
  one: SimulatedCampaign,
  people: ReadonlyMap<string, SimulatedLead>,
  sent: readonly SimulatedSend[],
): void {
  const { dailyLimit, newLeadsPerDay, domainDailyLimit, schedule: window, useLeadTimezone } = one.facts;
  const own = sent.filter(({ campaignId }) => campaignId === one.id);
  const day = ({ at }: SimulatedSend) => getDay(at, window.timezone);
  expect(most(own, day)).toBeLessThanOrEqual(dailyLimit ?? Infinity);
  const first = own.filter(({ stepId }) => stepId === one.steps[0]!.id);
  expect(most(first, day)).toBeLessThanOrEqual(newLeadsPerDay ?? Infinity);
  const domainDay = (send: SimulatedSend) => `${people.get(send.leadId)!.domain} ${day(send)}`;
  expect(most(own, domainDay)).toBeLessThanOrEqual(domainDailyLimit ?? Infinity);
  for (const { at, leadId } of own) {
    const zone = useLeadTimezone ? people.get(leadId)!.timezone : null;
    expect(windowAt(window, at, zone ?? undefined).open).toBe(true);
  }
  for (const group of Map.groupBy(own, ({ mailboxId }) => mailboxId).values()) {
    expect(least(group, 1)).toBeGreaterThanOrEqual(one.emailIntervalMinutes * MINUTE_MS);
  }
}

function expectStepsInOrder(one: SimulatedCampaign, sent: readonly SimulatedSend[]): void {
  const own = sent.filter(({ campaignId }) => campaignId === one.id);
  for (const group of Map.groupBy(own, ({ leadId }) => leadId).values()) {
    expect(group.map(({ stepId }) => stepId)).toEqual(one.steps.slice(0, group.length).map(({ id }) => id));
    expect(new Set(group.map(({ mailboxId }) => mailboxId)).size).toBe(1);
    for (const [index, { at }] of group.slice(1).entries()) {
      const due = afterDelay(group[index]!.at, one.steps[index + 1]!.delay, one.facts.schedule);
      expect(at >= due).toBe(true);
    }
  }
}

describe('any simulation', () => {
  it('exceeds no limit, observes windows, intervals and delays, and sends each step once and in order', async () => {
    const numRuns = rounds(80, 16);
    let finished = 0;
    let sends = 0;
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const input = inputOf(scenario);
        const { sent, finishesAt } = await run({ ...input, days: 60 });
        const people = new Map(input.leads.map((lead) => [lead.id, lead]));
        for (const one of input.mailboxes) expectMailboxKept(one, sent);
        for (const one of input.campaigns) {
          expectCampaignKept(one, people, sent);
          expectStepsInOrder(one, sent);
        }
        expect(sent.every(({ at }, index) => index === 0 || at >= sent[index - 1]!.at)).toBe(true);
        const requested = sent.filter(({ campaignId }) => campaignId === input.campaignId);
        const all = scenario.campaigns[0]!.leads * scenario.campaigns[0]!.delays.length;
        expect(requested.length === all).toBe(finishesAt !== null);
        if (finishesAt) finished += 1;
        sends += sent.length;
      }),
      { numRuns },
    );
    expect(finished).toBeGreaterThan(numRuns / 4);
    expect(sends).toBeGreaterThan(numRuns * 12);
  });
});
