import { addDays, getLocal, getWeekday } from '@platform/time';
import { DEEP, rounds } from '@testing';
import { getDefaultConfig } from '../config/warmup-defaults';
import { MOST_DAYS_RUNNING, MOST_PER_PAIR } from '../plan/peers';
import { getShare, getVolume } from '../plan/volume';
import { type WarmupConfig } from '../schemas/warmup.record';
import { type MailboxSettings } from './simulated-warmup-mailbox';
import { type Fate, type SentMail, WarmupSimulation, type SimulationInput } from './warmup-simulation';

/** A Monday. */
const FIRST_DAY = '2026-11-02';
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

/** So much of it ends up there, for every mail alike. */
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

/** Answered of what was found in a place, in per cent, of mails that are old enough to have been answered. */
function answered(world: WarmupSimulation, place: string): number {
  const found = world.sent.filter(({ fate, position }) => fate === place && position === 0);
  return (100 * found.filter((mail) => mail.answered).length) / found.length;
}

/** Enough for each to begin and to be begun with as often as it may. */
const COUNT = DEEP ? 40 : 28;

describe('mailboxes that warm each other up for thirty days', () => {
  const settings = pool(COUNT);
  const world = run({ mailboxes: settings });
  const { config } = settings[0]!;

  it('begin exactly as many threads a day as settings and day say', () => {
    const begun = countBy(openings(world), ({ from, date }) => `${from} ${date}`);
    const expected = settings.flatMap(({ id }) =>
      Array.from({ length: 30 }, (_, day) => [`${id} ${addDays(FIRST_DAY, day)}`, Math.min(25, 10 + day)] as const),
    );
    expect(begun).toEqual(new Map(expected));
  });

  it('count each day of the run, and are completed after fourteen days at their target', () => {
    expect(world.planned.every(({ currentDay, volume }) => volume === getVolume(currentDay, config, null))).toBe(true);
    const statuses = world.planned.filter(({ mailboxId }) => mailboxId === 'm000').map(({ status }) => status);
    expect(statuses.indexOf('completed')).toBe(29);
    expect(world.addMailbox('m000').progress).toMatchObject({ status: 'completed', currentDay: 31, daysAtVolume: 15 });
  });

  it('are answered at the configured rates, by the place in which the mail was found', () => {
    expect(answered(world, 'inbox')).toBeGreaterThan(37.5 - 3);
    expect(answered(world, 'inbox')).toBeLessThan(37.5 + 3);
    expect(answered(world, 'promotions')).toBeGreaterThan(20 - 3);
    expect(answered(world, 'promotions')).toBeLessThan(20 + 3);
    expect(answered(world, 'spam')).toBe(100);
  });

  it('answer answers at those rates, too, so that the share of all mail is theirs', () => {
    const found = world.sent.filter(({ fate }) => fate === 'inbox');
    const share = (100 * found.filter((mail) => mail.answered).length) / found.length;
    expect(Math.abs(share - 37.5)).toBeLessThan(3);
  });

  it('write and answer in their working hours, and in all of them', () => {
    // All of them take as long as the simulation.
    const some = DEEP ? world.sent : world.sent.filter((_, index) => index % 4 === 0);
    const hours = countBy(some, ({ at, from }) => getLocal(at, world.addMailbox(from).hours.timezone).time.slice(0, 2));
    expect([...hours.keys()].toSorted()).toEqual(['08', '09', '10', '11', '12', '13', '14', '15', '16', '17', '18']);
    const shares = [...hours.values()].map((count) => (11 * count) / some.length);
    expect(Math.min(...shares)).toBeGreaterThan(0.5);
    expect(Math.max(...shares)).toBeLessThan(1.6);
  });

  it('never write two mails within the gap of a mailbox', () => {
    const last = new Map<string, number>();
    const gaps = world.sent.map(({ from, at }) => {
      const gap = at.getTime() - (last.get(from) ?? -Infinity);
      last.set(from, at.getTime());
      return gap;
    });
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(120_000);
  });

  it('write to all others about equally often, to none of them more than twice a day, and never to themselves', () => {
    const pairs = countBy(openings(world), pairOf);
    expect(pairs.size).toBe((COUNT * (COUNT - 1)) / 2);
    const mean = openings(world).length / pairs.size;
    expect(Math.min(...pairs.values())).toBeGreaterThan(0.6 * mean);
    expect(Math.max(...pairs.values())).toBeLessThan(1.35 * mean);
    const daily = countBy(openings(world), (mail) => `${pairOf(mail)} ${mail.date}`);
    expect(Math.max(...daily.values())).toBe(MOST_PER_PAIR);
    expect(world.sent.some(({ from, to }) => from === to)).toBe(false);
    const received = [...countBy(openings(world), ({ to }) => to).values()];
    expect(Math.max(...received) - Math.min(...received)).toBeLessThan(0.1 * (openings(world).length / COUNT));
  });

  it('stay within their share of the daily limit', () => {
    const daily = countBy(world.sent, ({ from, date }) => `${from} ${date}`);
    expect(Math.max(...daily.values())).toBeLessThanOrEqual(getShare(100, config));
    expect(Math.max(...daily.values())).toBeGreaterThan(25);
  });

  it('come to the same when they are simulated again, and to something else by another seed', () => {
    const [one, again, other] = ['a', 'a', 'b'].map(
      (seed) => run({ mailboxes: settings, days: rounds(5, 2), seed }).sent,
    );
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
  });

  it('come to the figures of the note', () => {
    const figures = {
      mails: world.sent.length,
      threads: openings(world).length,
      inbox: answered(world, 'inbox').toFixed(2),
      promotions: answered(world, 'promotions').toFixed(2),
      spam: answered(world, 'spam').toFixed(2),
    };
    process.stdout.write(`${COUNT} mailboxes, 30 days: ${JSON.stringify(figures)}\n`);
    expect(figures.threads).toBe(COUNT * (16 * 17.5 + 14 * 25));
  });
});

describe('mailboxes that rest on some days', () => {
  it('write and answer on weekdays only, where that is asked, and weekends do not count as days', () => {
    const settings = pool(12, { weekdaysOnly: true, startingVolume: 3, targetVolume: 6 });
    const world = run({ mailboxes: settings, days: 14 });
    const weekdays = countBy(world.sent, ({ at, from }) =>
      String(getWeekday(getLocal(at, world.addMailbox(from).hours.timezone).day)),
    );
    expect([...weekdays.keys()].toSorted()).toEqual(['1', '2', '3', '4', '5']);
    expect(world.addMailbox('m000').progress.currentDay).toBe(11);
  });

  it('do not count days on which they are paused, nor the target as not held for them', () => {
    const settings = pool(12, { startingVolume: 3, targetVolume: 4 });
    settings[0] = { ...settings[0]!, isPaused: (date) => date >= '2026-11-04' && date <= '2026-11-09' };
    const world = run({ mailboxes: settings, days: 10 });
    expect(world.addMailbox('m000').progress).toMatchObject({ currentDay: 5, currentVolume: 4, daysAtVolume: 3 });
    expect(world.addMailbox('m001').progress).toMatchObject({ currentDay: 11, daysAtVolume: 9 });
    const volumes = world.planned.filter(({ mailboxId }) => mailboxId === 'm000').map(({ volume }) => volume);
    expect(volumes).toEqual([3, 4, 4, 4]);
  });
});

describe('a pool with room', () => {
  it('lets no two write to each other on more than three days in a row', () => {
    const world = run({
      mailboxes: pool(40, { startingVolume: 6, dailyIncrease: 1, targetVolume: 8 }),
      days: rounds(21, 9),
    });
    const days = new Map<string, Set<string>>();
    for (const mail of openings(world)) days.set(pairOf(mail), (days.get(pairOf(mail)) ?? new Set()).add(mail.date));
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

describe('mailboxes with little room', () => {
  it('begin fewer threads than their volume, so that answers fit into their share as well', () => {
    const settings = pool(20, {}, { dailySendLimit: 30 });
    const world = run({ mailboxes: settings, days: rounds(30, 15) });
    const share = getShare(30, settings[0]!.config);
    const daily = [...countBy(world.sent, ({ from, date }) => `${from} ${date}`).values()];
    expect(Math.max(...daily)).toBe(share);
    expect(Math.max(...countBy(openings(world), ({ from, date }) => `${from} ${date}`).values())).toBe(10);
    expect(Math.abs(answered(world, 'inbox') - 37.5)).toBeLessThan(3);
  });

  it('of which there are two write to each other twice a day at most', () => {
    const world = run({ mailboxes: pool(2), days: 5 });
    expect(openings(world)).toHaveLength(2 * 5);
  });

  it('write to nobody when they are alone, or have no language in common', () => {
    expect(run({ mailboxes: pool(1), days: 3 }).sent).toEqual([]);
    const [one, other] = [pool(1, { languages: ['en'] })[0]!, { ...pool(1, { languages: ['de'] })[0]!, id: 'other' }];
    expect(run({ mailboxes: [one, other], days: 3 }).sent).toEqual([]);
  });
});

describe('mailboxes whose mail is found in spam', () => {
  /** Of one mailbox so much ends up in spam until a day, afterwards nothing of it. */
  const spammed = (share: number, until = '9999-12-31'): Fate => {
    return ({ from, date }, draw) => (from === 'm000' && date < until && draw() < share ? 'spam' : 'inbox');
  };
  const volumesOf = (world: WarmupSimulation, id: string) =>
    world.planned.filter(({ mailboxId }) => mailboxId === id).map(({ volume }) => volume);

  it('write half as much from then on, and grow again day by day once it is found elsewhere', () => {
    const world = run({ mailboxes: pool(DEEP ? 20 : 12), fate: spammed(0.35, '2026-11-06') });
    const volumes = volumesOf(world, 'm000');
    const lowest = volumes.indexOf(Math.min(...volumes));
    expect(volumes[lowest]!).toBeLessThanOrEqual(6);
    expect(volumes.at(-1)).toBe(25);
    const rises = volumes.slice(lowest + 1).map((volume, index) => volume - volumes[lowest + index]!);
    expect(Math.max(...rises)).toBe(1);
    expect(world.addMailbox('m000').progress).toMatchObject({ status: 'in_progress', slowdown: null });
    expect(volumesOf(world, 'm001').slice(0, 16)).toEqual(Array.from({ length: 16 }, (_, day) => 10 + day));
  });

  it('are suspended when most of it still is although they write less', () => {
    const world = run({ mailboxes: pool(20), fate: spammed(0.7), days: rounds(30, 12) });
    const { status, suspension } = world.addMailbox('m000').progress;
    expect({ status, code: suspension?.code }).toEqual({ status: 'suspended', code: 'spam_placement' });
    expect(suspension?.message).toMatch(/^\d+ of \d+ recent warmup mails were found in spam/);
    expect(volumesOf(world, 'm000').length).toBeLessThan(10);
  });

  it('are suspended when it bounces, and nobody else is', () => {
    const fate: Fate = ({ from }, draw) => (from === 'm003' && draw() < 0.3 ? 'bounced' : 'inbox');
    const world = run({ mailboxes: pool(20), fate, days: 10 });
    const suspended = pool(20).filter(({ id }) => world.addMailbox(id).progress.status === 'suspended');
    expect(suspended.map(({ id }) => id)).toEqual(['m003']);
    expect(world.addMailbox('m003').progress.suspension?.code).toBe('bounces');
  });
});
