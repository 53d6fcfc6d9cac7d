import fc from 'fast-check';
import { getOwner } from './rendezvous-hash';

const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });

describe('getOwner', () => {
  it('assigns nothing when there are no members', () => {
    expect(getOwner('a', [])).toBeNull();
  });

  it('does not depend on the order of the members', () => {
    fc.assert(
      fc.property(fc.string(), names, (key, members) => {
        expect(getOwner(key, members.toReversed())).toBe(getOwner(key, members));
      }),
    );
  });

  it('moves only the keys of a member that leaves', () => {
    fc.assert(
      fc.property(fc.string(), names, fc.nat(), (key, members, which) => {
        const leaving = members[which % members.length];
        const before = getOwner(key, members);
        if (before === leaving) return;
        expect(
          getOwner(
            key,
            members.filter((member) => member !== leaving),
          ),
        ).toBe(before);
      }),
    );
  });

  it('shares the keys out evenly', () => {
    const members = ['one', 'two', 'three', 'four'];
    const shares = new Map<string | null, number>();
    for (let key = 0; key < 4_000; key++) {
      const owner = getOwner(`mailbox-${key}`, members);
      shares.set(owner, (shares.get(owner) ?? 0) + 1);
    }
    for (const member of members) expect(Math.abs((shares.get(member) ?? 0) - 1_000)).toBeLessThan(150);
  });
});
