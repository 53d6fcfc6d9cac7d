import { MOST_CANDIDATES, WarmupPoolSnapshot, type PoolMember } from './warmup-pool-snapshot';

const members = (count: number): PoolMember[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    workspaceId: index % 2 === 0 ? 'even' : 'odd',
    address: `m${index}@senders.test`,
    languages: ['en'],
    mostReceived: 10,
  }));
const SELF = members(1)[0]!;
const DAY = '2026-11-23';

describe('the candidates of a mailbox', () => {
  it('are all others of the installation with that setting', () => {
    const found = new WarmupPoolSnapshot(members(6), true).listCandidates(SELF, DAY);
    expect(found.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
  });

  it('are the others of its workspace with that setting', () => {
    const found = new WarmupPoolSnapshot(members(6), false).listCandidates(SELF, DAY);
    expect(found.map(({ id }) => id)).toEqual(['m2', 'm4']);
  });

  it('never include the same mailbox connected to another workspace', () => {
    const same = { ...SELF, id: 'm9', workspaceId: 'odd' };
    const found = new WarmupPoolSnapshot([...members(3), same], true).listCandidates(SELF, DAY);
    expect(found.map(({ id }) => id)).toEqual(['m1', 'm2']);
  });

  it('are a daily random sample of a large pool, the same for each call', () => {
    const pool = new WarmupPoolSnapshot(members(2_000), true);
    const [today, again, tomorrow] = [DAY, DAY, '2026-11-24'].map((day) => pool.listCandidates(SELF, day));
    expect(today).toHaveLength(MOST_CANDIDATES);
    expect(new Set(today).size).toBe(MOST_CANDIDATES);
    expect(again).toEqual(today);
    expect(tomorrow).not.toEqual(today);
  });

  it('occur equally often', () => {
    const pool = new WarmupPoolSnapshot(members(300), true);
    const counts = new Map<string, number>();
    for (const self of members(300)) {
      for (const { id } of pool.listCandidates(self, DAY)) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    expect(Math.min(...counts.values())).toBeGreaterThan(0.7 * MOST_CANDIDATES);
    expect(Math.max(...counts.values())).toBeLessThan(1.3 * MOST_CANDIDATES);
  });
});

describe('the planned threads of a mailbox', () => {
  it('are those of the snapshot and those added since, by day', () => {
    const pool = new WarmupPoolSnapshot(members(3), true);
    expect(pool.hasLearned(DAY)).toBe(false);
    pool.learn(DAY, new Map([['m1', 2]]));
    expect(pool.hasLearned(DAY)).toBe(true);
    pool.add('m1', DAY);
    pool.add('m2', DAY);
    pool.add('m1', '2026-11-24');
    expect(['m0', 'm1', 'm2'].map((id) => pool.countIncoming(id, DAY))).toEqual([0, 3, 1]);
    expect(pool.countIncoming('m1', '2026-11-24')).toBe(1);
  });
});
