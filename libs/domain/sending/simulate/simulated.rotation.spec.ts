import fc from 'fast-check';
import { rotationWait } from '../turn/rotation.wait';
import { InRotation, SimulatedRotation } from './simulated.rotation';

const NOW = new Date('2026-11-25T12:00:00.000Z');

/** A mailbox that counts how often it is looked at. */
class Watched extends InRotation {
  looks = 0;

  override get nextAt(): Date | null {
    this.looks += 1;
    return super.nextAt;
  }
}

function rotationOf(taken: readonly number[], nextAt: (place: number) => Date | null = () => NOW) {
  const rotation = new SimulatedRotation();
  const members = taken.map((count, place) => new Watched(count, { nextAt: nextAt(place) }));
  for (const member of members) rotation.add(member);
  return { rotation, members };
}

describe('the mailboxes of a simulated campaign', () => {
  it('wait for each other as they would if all of them were looked at, whoever takes a lead', () => {
    const boxes = fc.array(
      fc.record({ taken: fc.nat(60), nextAt: fc.option(fc.integer({ min: -90_000, max: 90_000 })) }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(boxes, fc.array(fc.nat(7), { maxLength: 60 }), (given, takers) => {
        const { rotation, members } = rotationOf(
          given.map(({ taken }) => taken),
          (place) => {
            const offset = given[place]!.nextAt;
            return offset === null ? null : new Date(NOW.getTime() + offset);
          },
        );
        for (const taker of takers) {
          const member = members[taker % members.length]!;
          const before = member.taken;
          rotation.took(member);
          expect(member.taken).toBe(before + 1);
          for (const { taken } of members) {
            expect(rotationWait(taken, rotation.behind(taken), NOW)).toEqual(rotationWait(taken, members, NOW));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are looked at only where they are behind: hundreds of them cost no more than few', () => {
    const { rotation, members } = rotationOf(Array.from({ length: 300 }, (_, place) => (place === 0 ? 5 : 40)));
    expect(rotationWait(40, rotation.behind(40), NOW)).not.toBeNull();
    expect(members.filter(({ looks }) => looks > 0)).toEqual([members[0]]);
  });
});
