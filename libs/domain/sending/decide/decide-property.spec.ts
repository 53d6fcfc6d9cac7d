import { afterDelay, getDay, type SendingSchedule, type StepDelay, getWeekday, windowAt } from '@platform/time';
import { rounds } from '@testing';
import fc from 'fast-check';
import { decideSend } from './decide';
import { type CampaignFacts, type LeadFacts, type MailboxFacts, type SendingFacts, type Wait } from './facts';
import { campaignFacts, leadFacts, mailboxFacts } from './testing/facts';
import { type Scenario, type Sent, Simulated } from './testing/simulated';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Zones with half-hour and two-hour changes, one at midnight, one that crosses it, and both ends of the day. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'America/Nuuk',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

const zones = fc.constantFrom(...ZONES);
const moments = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });
const times = fc.integer({ min: 0, max: 1_439 }).map((minute) => {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
});
const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
const schedules: fc.Arbitrary<SendingSchedule> = fc
  .record({ timezone: zones, startTime: times, endTime: times, workingDays: weekdays })
  // A window of less than half an hour on one day a week takes years to simulate and proves no more.
  .filter(
    ({ startTime, endTime }) =>
      minutesOf(endTime) <= minutesOf(startTime) || minutesOf(endTime) - minutesOf(startTime) >= 30,
  );
const few = (max: number) => fc.option(fc.integer({ min: 1, max }));
const shares = fc.option(fc.record({ mails: fc.nat(6), weekdaysOnly: fc.boolean() }));
const delays: fc.Arbitrary<StepDelay[]> = fc.array(
  fc.record({
    value: fc.integer({ min: 0, max: 5 }),
    unit: fc.constantFrom('days', 'hours'),
    workingDaysOnly: fc.boolean(),
  }),
  { maxLength: 2 },
);
const scenarios: fc.Arbitrary<Scenario> = fc.record({
  start: moments,
  mailbox: fc
    .record({
      dailySendLimit: fc.integer({ min: 1, max: 8 }),
      gapSeconds: fc.constantFrom(0, 0.5, 60, 900, 7_200),
      timezone: zones,
      perMinuteLimit: few(3),
      warmupShare: shares,
    })
    // Otherwise nothing would ever be sent.
    .filter(({ dailySendLimit, warmupShare }) => (warmupShare?.mails ?? 0) < dailySendLimit),
  campaign: fc.record({
    dailyLimit: few(6),
    newLeadsPerDay: few(3),
    domainDailyLimit: few(2),
    useLeadTimezone: fc.boolean(),
  }),
  schedule: schedules,
  intervalMs: fc.constantFrom(0, 60_000, 600_000),
  leads: fc.array(fc.record({ domain: fc.constantFrom('a.test', 'b.test'), timezone: fc.option(zones) }), {
    minLength: 1,
    maxLength: 12,
  }),
  delays,
  lagMs: fc.constantFrom(0, 0, 1, 2_500),
});

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** Expects what `nextEligibleAt` promises: the email is sent at that time and not before. */
function expectTrue(facts: SendingFacts, { nextEligibleAt, limits, reason }: Wait): void {
  expect(limits.filter(({ binding }) => binding).map(({ name }) => name)).toEqual([reason]);
  const now = facts.now.getTime();
  const end = nextEligibleAt?.getTime() ?? now + 400 * DAY_MS;
  if (nextEligibleAt !== null) {
    expect(end).toBeGreaterThan(now);
    expect(decideSend({ ...facts, now: nextEligibleAt })).toEqual({ kind: 'send' });
  }
  const earlier = [end - 1, ...[0.17, 0.5, 0.83, 0.99].map((part) => now + Math.floor((end - now) * part))];
  for (const at of earlier.filter((moment) => moment >= now)) {
    expect(decideSend({ ...facts, now: new Date(at) })).toMatchObject({ kind: 'wait', nextEligibleAt });
  }
}

/** The largest number of sends with the same key. */
function most(sent: readonly Sent[], key: (one: Sent) => string): number {
  return Math.max(0, ...[...Map.groupBy(sent, key).values()].map((group) => group.length));
}

/** The shortest period, in milliseconds, with `count + 1` sends. */
function least(sent: readonly Sent[], count: number): number {
  return Math.min(Infinity, ...sent.slice(count).map(({ at }, index) => at.getTime() - sent[index]!.at.getTime()));
}

function expectLimitsKept({ mailbox, campaign, schedule, intervalMs, leads }: Scenario, sent: readonly Sent[]): void {
  const { dailySendLimit, gapSeconds, perMinuteLimit, timezone, warmupShare } = mailbox;
  const day = ({ at }: Sent) => getDay(at, schedule.timezone);
  expect(most(sent, ({ at }) => getDay(at, timezone))).toBeLessThanOrEqual(dailySendLimit);
  if (warmupShare !== null) {
    const isKept = ({ at }: Sent) => !warmupShare.weekdaysOnly || getWeekday(getDay(at, timezone)) <= 5;
    const beside = sent.filter(isKept);
    expect(most(beside, ({ at }) => getDay(at, timezone))).toBeLessThanOrEqual(dailySendLimit - warmupShare.mails);
  }
  expect(least(sent, dailySendLimit)).toBeGreaterThanOrEqual(24 * HOUR_MS);
  expect(least(sent, 1)).toBeGreaterThanOrEqual(Math.max(gapSeconds * 1_000, intervalMs));
  if (perMinuteLimit !== null) expect(least(sent, perMinuteLimit)).toBeGreaterThanOrEqual(60_000);
  expect(most(sent, day)).toBeLessThanOrEqual(campaign.dailyLimit ?? Infinity);
  const first = sent.filter(({ step }) => step === 0);
  expect(most(first, day)).toBeLessThanOrEqual(campaign.newLeadsPerDay ?? Infinity);
  const domainDay = (one: Sent) => `${leads[one.lead]!.domain} ${day(one)}`;
  expect(most(sent, domainDay)).toBeLessThanOrEqual(campaign.domainDailyLimit ?? Infinity);
  for (const { at, lead } of sent) {
    const own = campaign.useLeadTimezone ? leads[lead]!.timezone : null;
    expect(windowAt(schedule, at, own ?? undefined).open).toBe(true);
  }
}

function expectInOrder({ leads, delays: between, schedule }: Scenario, sent: readonly Sent[]): void {
  for (const lead of leads.keys()) {
    const own = sent.filter((one) => one.lead === lead);
    expect(own.map(({ step }) => step)).toEqual([...Array(between.length + 1).keys()]);
    for (const [index, delay] of between.entries()) {
      expect(own[index + 1]!.at >= afterDelay(own[index]!.at, delay, schedule)).toBe(true);
    }
  }
}

describe('a campaign that sends whenever it may', () => {
  it('exceeds no limit, keeps the order of steps and sends everything, and every wait ends at the predicted time', () => {
    let checked = 0;
    fc.assert(
      fc.property(scenarios, (scenario) => {
        // Checks every seventh wait: some ten thousand over all rounds.
        const sent = new Simulated(scenario, (facts, wait) => {
          checked += 1;
          if (checked % 7 === 0) expectTrue(facts, wait);
        }).run();
        expectLimitsKept(scenario, sent);
        expectInOrder(scenario, sent);
      }),
      { numRuns: rounds(150) },
    );
    expect(checked).toBeGreaterThan(rounds(1_000));
  });
});

describe('a decision about any facts', () => {
  const around = fc.integer({ min: -30 * HOUR_MS, max: 30 * HOUR_MS });
  /** A moment near now, or null. */
  const near = fc.option(around);
  const tries = fc.record({
    now: moments,
    zones: fc.tuple(zones, zones, zones),
    schedule: fc.oneof(
      { weight: 9, arbitrary: schedules },
      { weight: 1, arbitrary: schedules.map((one) => ({ ...one, workingDays: [] })) },
    ),
    status: fc.constantFrom('active', 'active', 'active', 'paused', 'error'),
    offsets: fc.record({ retryAt: near, lastSentAt: near, nextAt: near, resumeAt: near, dueAt: around }),
    slots: fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 4 })), { maxLength: 12 }),
    recent: fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 5 }),
    used: fc.array(fc.nat(6), { minLength: 4, maxLength: 4 }),
    warmup: fc.record({ share: shares, sent: fc.nat(6) }),
    max: fc.tuple(fc.nat(6), few(3), fc.option(fc.nat(6)), fc.option(fc.nat(6)), fc.option(fc.nat(6))),
    flags: fc.record({ isNew: fc.boolean(), useLeadTimezone: fc.boolean() }),
  });
  type Try = typeof tries extends fc.Arbitrary<infer T> ? T : never;

  function mailboxOf({ now, zones: [timezone], status, offsets, slots, recent, used, max, warmup }: Try): MailboxFacts {
    const slot = Math.floor(now.getTime() / 300_000) * 300_000;
    return mailboxFacts({
      status: status as MailboxFacts['status'],
      retryAt: moment(now, offsets.retryAt),
      lastSentAt: moment(now, offsets.lastSentAt),
      timezone,
      day: getDay(now, timezone),
      dayUsed: used[0]!,
      dailySendLimit: max[0],
      warmupShare: warmup.share,
      dayWarmup: warmup.sent,
      slots: slots.map(([ago, count]) => ({ at: new Date(slot - ago * 300_000), used: count })),
      perMinuteLimit: max[1],
      recent: recent.map((ago) => new Date(now.getTime() - ago)),
    });
  }

  function campaignOf({ now, schedule, offsets, used, max, flags }: Try): CampaignFacts {
    const day = getDay(now, schedule.timezone);
    return campaignFacts({
      schedule,
      useLeadTimezone: flags.useLeadTimezone,
      nextAt: moment(now, offsets.nextAt),
      dailyLimit: max[2],
      usedToday: { day, used: used[1]! },
      newLeadsPerDay: max[3],
      newLeadsToday: { day, used: used[2]! },
      domainDailyLimit: max[4],
    });
  }

  function leadOf({ now, zones: [, , timezone], schedule, offsets, used, flags }: Try): LeadFacts {
    return leadFacts({
      ...(offsets.resumeAt === null ? {} : { status: 'paused', resumeAt: moment(now, offsets.resumeAt) }),
      dueAt: moment(now, offsets.dueAt),
      isNew: flags.isNew,
      timezone,
      domainUsedToday: { day: getDay(now, schedule.timezone), used: used[3]! },
    });
  }

  function moment(now: Date, offset: number | null): Date | null {
    return offset === null ? null : new Date(now.getTime() + offset);
  }

  it('names the exact end of a wait, and a wait without an end never ends', () => {
    const seen = { send: 0, stop: 0, wait: 0 };
    fc.assert(
      fc.property(tries, (one) => {
        const facts = { now: one.now, mailbox: mailboxOf(one), campaign: campaignOf(one), lead: leadOf(one) };
        const decision = decideSend(facts);
        seen[decision.kind] += 1;
        if (decision.kind === 'wait') expectTrue(facts, decision);
      }),
      { numRuns: rounds(2_000) },
    );
    expect(seen.wait).toBeGreaterThan(rounds(1_000));
  });
});
