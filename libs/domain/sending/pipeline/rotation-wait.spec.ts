import { actsAt, rotationWait } from './rotation-wait';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
/** Seconds that a mailbox with `mine` new leads waits; null if it may take a lead. */
function wait(mine: number, ...others: [taken: number, actsIn: number | null][]): number | null {
  const next = rotationWait(
    { taken: mine, lastServedAt: null },
    others.map(([taken, actsIn]) => ({ taken, nextAt: actsIn === null ? null : at(actsIn), lastServedAt: null })),
    NOW,
  );
  return next && (next.getTime() - NOW.getTime()) / 1_000;
}

describe('a mailbox that wants a new lead', () => {
  it.each([
    ['takes the lead if it is alone', wait(9), null],
    ['takes the lead if the others have as many', wait(3, [3, 0], [3, 10]), null],
    ['takes the lead if it has fewer', wait(2, [3, 0]), null],
    ['takes the lead if it has one more', wait(3, [2, 0]), null],
    ['waits for a mailbox that has fewer leads and runs soon', wait(4, [2, 20]), 20],
    ['waits for the last of the mailboxes that have fewer', wait(4, [2, 20], [1, 40], [2, 5]), 40],
    ['waits a moment for a mailbox that is running now', wait(4, [2, 0]), 0.1],
    ['waits a moment for a mailbox that is less than a minute late', wait(4, [2, -59]), 0.1],
    ['waits for a mailbox that runs in a minute', wait(4, [2, 60]), 60],
    ['does not wait for a mailbox that runs later', wait(4, [2, 61]), null],
    ['does not wait for a mailbox that is more than a minute late', wait(4, [2, -61]), null],
    ['does not wait for a mailbox without a next run', wait(4, [0, null]), null],
    ['takes one lead and a twenty-fifth more than the others before it waits', wait(105, [100, 10]), null],
    ['waits beyond that tolerance', wait(106, [100, 10]), 10],
    ['has no tolerance of a twenty-fifth while there are few leads', wait(21, [19, 10]), 10],
  ])('%s', (_name, waited, expected) => {
    expect(waited).toBe(expected);
  });

  it.each([
    ['that has taken a lead since', 0, -10, -20, null],
    ['that has taken no lead since', 0, -20, -10, 0.1],
    ['that has never taken a lead', 0, null, -10, 0.1],
    ['while it has never taken a lead itself', 0, -10, null, 0.1],
  ])('regarding another mailbox %s: waits for one lead at most', (_name, actsIn, theirs, mine, expected) => {
    const date = (seconds: number | null) => (seconds === null ? null : at(seconds));
    const others = [{ taken: 2, nextAt: at(actsIn), lastServedAt: date(theirs) }];
    const next = rotationWait({ taken: 9, lastServedAt: date(mine) }, others, NOW);
    expect(next && (next.getTime() - NOW.getTime()) / 1_000).toBe(expected);
  });

  it('never waits forever: of mailboxes that wait for each other, one may take a lead', () => {
    for (const taken of [
      [0, 0, 0],
      [5, 4, 4],
      [7, 0, 3],
      [100, 90, 80],
    ]) {
      const free = taken.filter((mine, me) => {
        const others = taken.flatMap((other, at): [number, number][] => (at === me ? [] : [[other, 0]]));
        return wait(mine, ...others) === null;
      });
      expect(free.length).toBeGreaterThan(0);
    }
  });
});

describe('the next time at which a mailbox takes a lead of a campaign', () => {
  it.each([
    ['is its next run', { nextAt: at(5), isPoll: false }, { nextAt: null }, at(5)],
    [
      'is not before the end of its interval in the campaign',
      { nextAt: at(5), isPoll: false },
      { nextAt: at(9) },
      at(9),
    ],
    ['is not before its next run', { nextAt: at(9), isPoll: false }, { nextAt: at(5) }, at(9)],
    ['is unknown while it only polls', { nextAt: at(5), isPoll: true }, { nextAt: at(5) }, null],
    ['is unknown without a next run', { nextAt: null, isPoll: false }, { nextAt: at(5) }, null],
  ])('%s', (_name, mailbox, share, expected) => {
    expect(actsAt(mailbox, share)).toEqual(expected);
  });
});
