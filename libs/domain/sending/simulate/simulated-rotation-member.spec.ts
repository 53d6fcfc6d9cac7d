import { rounds } from '@testing';
import fc from 'fast-check';
import { rotationWait } from '../pipeline/rotation-wait';
import { SimulatedRotationMember } from './simulated-rotation-member';
import { SimulatedRotation } from './simulated-rotation';

const NOW = new Date('2026-11-25T12:00:00.000Z');

function after(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(NOW.getTime() + milliseconds);
}

/** A member that counts its reads. */
class Watched extends SimulatedRotationMember {
  reads = 0;

  override get nextAt(): Date | null {
    this.reads += 1;
    return super.nextAt;
  }
}

const IDLE = { nextAt: null, lastServedAt: null };

function rotationOf(
  taken: readonly number[],
  nextAt: (place: number) => Date | null = () => NOW,
  share: (place: number) => { nextAt: Date | null; lastServedAt: Date | null } = () => IDLE,
) {
  const rotation = new SimulatedRotation();
  const members = taken.map(
    (count, place) => new Watched(count, { nextAt: nextAt(place), isPoll: false }, share(place)),
  );
  for (const member of members) rotation.add(member);
  return { rotation, members };
}

describe('the simulated rotation', () => {
  it('makes mailboxes wait for each other as a scan of all mailboxes would', () => {
    const about = fc.option(fc.integer({ min: -90_000, max: 90_000 }));
    const boxes = fc.array(fc.record({ taken: fc.nat(60), nextAt: about, shareAt: about, lastServedAt: about }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(boxes, fc.array(fc.nat(7), { maxLength: 60 }), (given, takers) => {
        const { rotation, members } = rotationOf(
          given.map(({ taken }) => taken),
          (place) => after(given[place]!.nextAt),
          (place) => ({ nextAt: after(given[place]!.shareAt), lastServedAt: after(given[place]!.lastServedAt) }),
        );
        for (const taker of takers) {
          const member = members[taker % members.length]!;
          const before = member.taken;
          rotation.took(member);
          expect(member.taken).toBe(before + 1);
          for (const mine of members) {
            expect(rotationWait(mine, rotation.behind(mine.taken), NOW)).toEqual(rotationWait(mine, members, NOW));
          }
        }
      }),
      { numRuns: rounds(300) },
    );
  });

  it('reads only mailboxes that are behind, so that hundreds cost no more than a few', () => {
    const { rotation, members } = rotationOf(Array.from({ length: 300 }, (_, place) => (place === 0 ? 5 : 40)));
    expect(rotationWait(members[1]!, rotation.behind(40), NOW)).not.toBeNull();
    expect(members.filter(({ reads }) => reads > 0)).toEqual([members[0]]);
  });
});
