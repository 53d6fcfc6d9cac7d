import { mayTakeNew, type OtherMailbox } from './rotation';

const now = new Date('2026-11-20T09:00:00Z');
const other = (taken: number, seconds: number | null): OtherMailbox => ({
  taken,
  nextAt: seconds === null ? null : new Date(now.getTime() + seconds * 1_000),
});

describe('rotation', () => {
  it.each<[name: string, mine: number, others: OtherMailbox[], expected: boolean]>([
    ['the only mailbox', 7, [], true],
    ['one that is level with the others', 3, [other(3, 0), other(3, 30)], true],
    ['one that is behind', 2, [other(3, 0)], true],
    ['one ahead of another that can act now', 4, [other(3, 0)], false],
    ['one ahead of another that could have acted', 4, [other(3, -600)], false],
    ['one ahead of another that acts in a minute', 4, [other(5, 0), other(3, 60)], false],
    ['one ahead of another that acts later', 4, [other(3, 60.001)], true],
    ['one ahead of another that does not act', 4, [other(0, null)], true],
  ])('%s', (_name, mine, others, expected) => {
    expect(mayTakeNew(mine, others, now)).toBe(expected);
  });

  it('never holds up all mailboxes of a campaign: the one with the fewest may always', () => {
    const taken = [4, 2, 9];
    const may = taken.map((mine, index) =>
      mayTakeNew(
        mine,
        taken.filter((_, at) => at !== index).map((count) => other(count, 0)),
        now,
      ),
    );
    expect(may).toEqual([false, true, false]);
  });
});
