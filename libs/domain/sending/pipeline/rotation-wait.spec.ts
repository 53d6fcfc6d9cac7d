import { actsAt, rotationWait } from './rotation-wait';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
/** Seconds that a mailbox waits which has taken `mine`; null when it may go. */
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
    ['takes it when it is alone', wait(9), null],
    ['takes it when the others have as many', wait(3, [3, 0], [3, 10]), null],
    ['takes it when it has fewer', wait(2, [3, 0]), null],
    ['takes it when it has one more', wait(3, [2, 0]), null],
    ['waits for one that has fewer and acts soon', wait(4, [2, 20]), 20],
    ['waits for the last of those that have fewer', wait(4, [2, 20], [1, 40], [2, 5]), 40],
    ['waits a moment for one that is acting now', wait(4, [2, 0]), 0.1],
    ['waits a moment for one that should have acted a while ago', wait(4, [2, -59]), 0.1],
    ['waits for one that acts in a minute', wait(4, [2, 60]), 60],
    ['does not wait for one that acts later', wait(4, [2, 61]), null],
    ['does not wait for one that should have acted and has not', wait(4, [2, -61]), null],
    ['does not wait for one that has nothing in sight', wait(4, [0, null]), null],
    ['takes one and a twenty-fifth more than the others before it waits', wait(105, [100, 10]), null],
    ['waits beyond that', wait(106, [100, 10]), 10],
    ['has no such grace while there are few', wait(21, [19, 10]), 10],
  ])('%s', (_name, waited, expected) => {
    expect(waited).toBe(expected);
  });

  it.each([
    ['that has written to somebody since', 0, -10, -20, null],
    ['that has written to nobody since', 0, -20, -10, 0.1],
    ['that has written to nobody at all', 0, null, -10, 0.1],
    ['as long as it has written to nobody itself', 0, -10, null, 0.1],
  ])('waits for one %s at most: a turn each', (_name, actsIn, theirs, mine, expected) => {
    const date = (seconds: number | null) => (seconds === null ? null : at(seconds));
    const others = [{ taken: 2, nextAt: at(actsIn), lastServedAt: date(theirs) }];
    const next = rotationWait({ taken: 9, lastServedAt: date(mine) }, others, NOW);
    expect(next && (next.getTime() - NOW.getTime()) / 1_000).toBe(expected);
  });

  it('is never kept for ever: of those that wait for each other one may go', () => {
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

describe('a mailbox takes a lead of a campaign', () => {
  it.each([
    ['when it acts', { nextAt: at(5), isPoll: false }, { nextAt: null }, at(5)],
    ['not before its interval in the campaign is over', { nextAt: at(5), isPoll: false }, { nextAt: at(9) }, at(9)],
    ['not before it acts itself', { nextAt: at(9), isPoll: false }, { nextAt: at(5) }, at(9)],
    ['nobody knows when while it only tries', { nextAt: at(5), isPoll: true }, { nextAt: at(5) }, null],
    ['nobody knows when while it has nothing in sight', { nextAt: null, isPoll: false }, { nextAt: at(5) }, null],
  ])('%s', (_name, mailbox, share, expected) => {
    expect(actsAt(mailbox, share)).toEqual(expected);
  });
});
