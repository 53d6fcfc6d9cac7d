import { addDays, getLocal, getWeekday } from '@platform/time';
import { DEEP, rounds } from '@testing';
import { getDefaultConfig } from '../config/warmup-defaults';
import { MOST_DAYS_RUNNING, MOST_PER_PAIR } from '../plan/peers';
import { getWarmupShare, getVolume } from '../plan/volume';
import { type WarmupConfig } from '../schemas/warmup.record';
import { type MailboxSettings } from './simulated-warmup-mailbox';
import { type Fate, type SentMail, WarmupSimulation, type SimulationInput } from './warmup-simulation';

/** A Monday. */
const FIRST_DAY = '2026-11-02';
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

/** The share of mails with this fate, the same for each mail. */
const usual: Fate = (_mail, draw) => {
  const place = draw();
  return place < 0.05 ? 'spam' : place < 0.25 ? 'promotions' : 'inbox';
};

function pool(
  count: number,
  given: Partial<WarmupConfig> = {},
  more: Partial<MailboxSettings> = {},
): MailboxSettings[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `m${String(index).padStart(3, '0')}`,
    config: { ...getDefaultConfig('custom'), ...given },
    dailySendLimit: 100,
    gapSeconds: 120,
    timezone: ZONES[index % ZONES.length] ?? 'UTC',
    ...more,
  }));
}

function run(input: Partial<SimulationInput> & Pick<SimulationInput, 'mailboxes'>): WarmupSimulation {
  return new WarmupSimulation({ firstDay: FIRST_DAY, days: 30, fate: usual, seed: 'spec', ...input }).run();
}

function countBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

const pairOf = ({ from, to }: SentMail) => [from, to].toSorted().join(' ');
const openings = ({ sent }: WarmupSimulation) => sent.filter(({ position }) => position === 0);

/** The percentage of answered openings with this placement, among mails old enough to have an answer. */
function answered(simulation: WarmupSimulation, place: string): number {
  const found = simulation.sent.filter(({ fate, position }) => fate === place && position === 0);
  return (100 * found.filter((mail) => mail.answered).length) / found.length;
}

/** Enough peers for each mailbox to use its full volume. */
const COUNT = DEEP ? 40 : 28;

describe('thirty days of a warmup pool', () => {
  const settings = pool(COUNT);
  const simulation = run({ mailboxes: settings });
  const { config } = settings[0]!;

  it('has exactly the number of threads that settings and day define', () => {
    const begun = countBy(openings(simulation), ({ from, date }) => `${from} ${date}`);
    const expected = settings.flatMap(({ id }) =>
      Array.from({ length: 30 }, (_, day) => [`${id} ${addDays(FIRST_DAY, day)}`, Math.min(25, 10 + day)] as const),
    );
    expect(begun).toEqual(new Map(expected));
  });

  it('counts each day of the run and completes after fourteen days at the target', () => {
    expect(simulation.planned.every(({ currentDay, volume }) => volume === getVolume(currentDay, config, null))).toBe(
      true,
    );
    const statuses = simulation.planned.filter(({ mailboxId }) => mailboxId === 'm000').map(({ status }) => status);
    expect(statuses.indexOf('completed')).toBe(29);
    expect(simulation.addMailbox('m000').progress).toMatchObject({
      status: 'completed',
      currentDay: 31,
      daysAtVolume: 15,
    });
  });

  it('has answers at the configured rate of each placement', () => {
    expect(answered(simulation, 'inbox')).toBeGreaterThan(37.5 - 3);
    expect(answered(simulation, 'inbox')).toBeLessThan(37.5 + 3);
    expect(answered(simulation, 'promotions')).toBeGreaterThan(20 - 3);
    expect(answered(simulation, 'promotions')).toBeLessThan(20 + 3);
    expect(answered(simulation, 'spam')).toBe(100);
  });

  it('has answers to answers at the same rates, and so for all mail', () => {
    const found = simulation.sent.filter(({ fate }) => fate === 'inbox');
    const share = (100 * found.filter((mail) => mail.answered).length) / found.length;
    expect(Math.abs(share - 37.5)).toBeLessThan(3);
  });

  it('has mail and answers in all working hours, and only in them', () => {
    // A check of all mails takes as long as the simulation.
    const some = DEEP ? simulation.sent : simulation.sent.filter((_, index) => index % 4 === 0);
    const hours = countBy(some, ({ at, from }) =>
      getLocal(at, simulation.addMailbox(from).hours.timezone).time.slice(0, 2),
    );
    expect([...hours.keys()].toSorted()).toEqual(['08', '09', '10', '11', '12', '13', '14', '15', '16', '17', '18']);
    const shares = [...hours.values()].map((count) => (11 * count) / some.length);
    expect(Math.min(...shares)).toBeGreaterThan(0.5);
    expect(Math.max(...shares)).toBeLessThan(1.6);
  });

  it('has no two mails within the gap of a mailbox', () => {
    const last = new Map<string, number>();
    const gaps = simulation.sent.map(({ from, at }) => {
      const gap = at.getTime() - (last.get(from) ?? -Infinity);
      last.set(from, at.getTime());
      return gap;
    });
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(120_000);
  });

  it('has about equally many threads per pair, at most two a day, and none within one mailbox', () => {
    const pairs = countBy(openings(simulation), pairOf);
    expect(pairs.size).toBe((COUNT * (COUNT - 1)) / 2);
    const mean = openings(simulation).length / pairs.size;
    expect(Math.min(...pairs.values())).toBeGreaterThan(0.6 * mean);
    expect(Math.max(...pairs.values())).toBeLessThan(1.35 * mean);
    const daily = countBy(openings(simulation), (mail) => `${pairOf(mail)} ${mail.date}`);
    expect(Math.max(...daily.values())).toBe(MOST_PER_PAIR);
    expect(simulation.sent.some(({ from, to }) => from === to)).toBe(false);
    const received = [...countBy(openings(simulation), ({ to }) => to).values()];
    expect(Math.max(...received) - Math.min(...received)).toBeLessThan(0.1 * (openings(simulation).length / COUNT));
  });

  it('stays within the share of each daily limit', () => {
    const daily = countBy(simulation.sent, ({ from, date }) => `${from} ${date}`);
    expect(Math.max(...daily.values())).toBeLessThanOrEqual(getWarmupShare(100, config));
    expect(Math.max(...daily.values())).toBeGreaterThan(25);
  });

  it('has the same result when repeated, and another with another seed', () => {
    const [one, again, other] = ['a', 'a', 'b'].map(
      (seed) => run({ mailboxes: settings, days: rounds(5, 2), seed }).sent,
    );
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
  });

  it('has the documented figures', () => {
    const figures = {
      mails: simulation.sent.length,
      threads: openings(simulation).length,
      inbox: answered(simulation, 'inbox').toFixed(2),
      promotions: answered(simulation, 'promotions').toFixed(2),
      spam: answered(simulation, 'spam').toFixed(2),
    };
    process.stdout.write(`${COUNT} mailboxes, 30 days: ${JSON.stringify(figures)}\n`);
    expect(figures.threads).toBe(COUNT * (16 * 17.5 + 14 * 25));
  });
});

describe('mailboxes with days off', () => {
  it('send and answer on weekdays only when configured, and weekends do not count', () => {
    const settings = pool(12, { weekdaysOnly: true, startingVolume: 3, targetVolume: 6 });
    const simulation = run({ mailboxes: settings, days: 14 });
    const weekdays = countBy(simulation.sent, ({ at, from }) =>
      String(getWeekday(getLocal(at, simulation.addMailbox(from).hours.timezone).day)),
    );
    expect([...weekdays.keys()].toSorted()).toEqual(['1', '2', '3', '4', '5']);
    expect(simulation.addMailbox('m000').progress.currentDay).toBe(11);
  });

  it('do not count paused days, and keep their days at the target', () => {
    const settings = pool(12, { startingVolume: 3, targetVolume: 4 });
    settings[0] = { ...settings[0]!, isPaused: (date) => date >= '2026-11-04' && date <= '2026-11-09' };
    const simulation = run({ mailboxes: settings, days: 10 });
    expect(simulation.addMailbox('m000').progress).toMatchObject({ currentDay: 5, currentVolume: 4, daysAtVolume: 3 });
    expect(simulation.addMailbox('m001').progress).toMatchObject({ currentDay: 11, daysAtVolume: 9 });
    const volumes = simulation.planned.filter(({ mailboxId }) => mailboxId === 'm000').map(({ volume }) => volume);
    expect(volumes).toEqual([3, 4, 4, 4]);
  });
});

describe('a pool with enough peers', () => {
  it('has no pair that writes on more than three consecutive days', () => {
    const simulation = run({
      mailboxes: pool(40, { startingVolume: 6, dailyIncrease: 1, targetVolume: 8 }),
      days: rounds(21, 9),
    });
    const days = new Map<string, Set<string>>();
    for (const mail of openings(simulation))
      days.set(pairOf(mail), (days.get(pairOf(mail)) ?? new Set()).add(mail.date));
    const longest = [...days.values()].map((known) => {
      const runs = [...known].map((first) => {
        let length = 1;
        while (known.has(addDays(first, length))) length += 1;
        return length;
      });
      return Math.max(...runs);
    });
    expect(Math.max(...longest)).toBeLessThanOrEqual(MOST_DAYS_RUNNING);
  });
});

describe('mailboxes with a small share', () => {
  it('begin fewer threads than their volume, so that the share also covers answers', () => {
    const settings = pool(20, {}, { dailySendLimit: 30 });
    const simulation = run({ mailboxes: settings, days: rounds(30, 15) });
    const share = getWarmupShare(30, settings[0]!.config);
    const daily = [...countBy(simulation.sent, ({ from, date }) => `${from} ${date}`).values()];
    expect(Math.max(...daily)).toBe(share);
    expect(Math.max(...countBy(openings(simulation), ({ from, date }) => `${from} ${date}`).values())).toBe(10);
    expect(Math.abs(answered(simulation, 'inbox') - 37.5)).toBeLessThan(3);
  });

  it('in a pool of two write to each other at most twice a day', () => {
    const simulation = run({ mailboxes: pool(2), days: 5 });
    expect(openings(simulation)).toHaveLength(2 * 5);
  });

  it('write nothing when they are alone or have no common language', () => {
    expect(run({ mailboxes: pool(1), days: 3 }).sent).toEqual([]);
    const [one, other] = [pool(1, { languages: ['en'] })[0]!, { ...pool(1, { languages: ['de'] })[0]!, id: 'other' }];
    expect(run({ mailboxes: [one, other], days: 3 }).sent).toEqual([]);
  });
});

describe('mailboxes with delivery problems', () => {
  /** Places this share of one mailbox’s mail in spam until a day, and none afterwards. */
  const spammed = (share: number, until = '9999-12-31'): Fate => {
    return ({ from, date }, draw) => (from === 'm000' && date < until && draw() < share ? 'spam' : 'inbox');
  };
  const volumesOf = (simulation: WarmupSimulation, id: string) =>
    simulation.planned.filter(({ mailboxId }) => mailboxId === id).map(({ volume }) => volume);

  it('halve their volume after spam placement, and raise it daily after recovery', () => {
    const simulation = run({ mailboxes: pool(DEEP ? 20 : 12), fate: spammed(0.35, '2026-11-06') });
    const volumes = volumesOf(simulation, 'm000');
    const lowest = volumes.indexOf(Math.min(...volumes));
    expect(volumes[lowest]!).toBeLessThanOrEqual(6);
    expect(volumes.at(-1)).toBe(25);
    const rises = volumes.slice(lowest + 1).map((volume, index) => volume - volumes[lowest + index]!);
    expect(Math.max(...rises)).toBe(1);
    expect(simulation.addMailbox('m000').progress).toMatchObject({ status: 'in_progress', slowdown: null });
    expect(volumesOf(simulation, 'm001').slice(0, 16)).toEqual(Array.from({ length: 16 }, (_, day) => 10 + day));
  });

  it('are suspended when most mail is still in spam at the lower volume', () => {
    const simulation = run({ mailboxes: pool(20), fate: spammed(0.7), days: rounds(30, 12) });
    const { status, suspension } = simulation.addMailbox('m000').progress;
    expect({ status, code: suspension?.code }).toEqual({ status: 'suspended', code: 'spam_placement' });
    expect(suspension?.message).toMatch(/^\d+ of \d+ recent warmup mails were found in spam/);
    expect(volumesOf(simulation, 'm000').length).toBeLessThan(10);
  });

  it('are suspended for bounces, without an effect on others', () => {
    const fate: Fate = ({ from }, draw) => (from === 'm003' && draw() < 0.3 ? 'bounced' : 'inbox');
    const simulation = run({ mailboxes: pool(20), fate, days: 10 });
    const suspended = pool(20).filter(({ id }) => simulation.addMailbox(id).progress.status === 'suspended');
    expect(suspended.map(({ id }) => id)).toEqual(['m003']);
    expect(simulation.addMailbox('m003').progress.suspension?.code).toBe('bounces');
  });
});
