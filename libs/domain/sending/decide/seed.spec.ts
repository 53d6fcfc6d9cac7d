import fc from 'fast-check';
import { jittered, pickVariant, seeded } from './seed';

describe('a seeded number', () => {
  it('is the same for the same parts, from 0 to less than 1', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.integer())), (parts) => {
        const seed = seeded(...parts);
        expect(seed).toBe(seeded(...parts));
        expect(seed >= 0 && seed < 1).toBe(true);
      }),
    );
  });

  it('keeps its value across releases: a change would send other variants than were simulated', () => {
    expect(seeded('campaign', 'lead', 1)).toBeCloseTo(0.4581711873836838, 12);
  });

  it('depends on where parts begin and end', () => {
    const seeds = [
      seeded('a', 'bc'),
      seeded('ab', 'c'),
      seeded('abc'),
      seeded('abc', ''),
      seeded('', 'abc'),
      seeded('b', 'ac'),
    ];
    expect(new Set(seeds).size).toBe(seeds.length);
  });

  it('is evenly distributed over consecutive ids', () => {
    const tenths = Array<number>(10).fill(0);
    for (let id = 0; id < 10_000; id += 1) tenths[Math.floor(seeded('jitter', id) * 10)]! += 1;
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });
});

describe('jitter', () => {
  it.each([
    [600_000, 0, 600_000],
    [600_000, 0.5, 660_000],
    [600_000, 0.999_999_999, 720_000],
    [1_001, 0.5, 1_101],
    [0, 0.9, 0],
  ])('extends %i ms with the seed %d to %i', (interval, seed, expected) => {
    expect(jittered(interval, seed)).toBe(expected);
  });
});

describe('the choice of a variant', () => {
  const variants = [
    { name: 'A', weight: 1 },
    { name: 'B', weight: 0 },
    { name: 'C', weight: 3 },
  ];
  it.each([
    [0, 'A'],
    [0.249, 'A'],
    [0.25, 'C'],
    [0.999_999, 'C'],
  ])('with the seed %d picks %s', (seed, name) => {
    expect(pickVariant(variants, seed)?.name).toBe(name);
  });

  it('is uniform if no variant has a weight', () => {
    const equal = variants.map((variant) => ({ ...variant, weight: 0 }));
    expect([0, 0.34, 0.99].map((seed) => pickVariant(equal, seed)?.name)).toEqual(['A', 'B', 'C']);
  });

  it('is undefined without variants', () => {
    expect(pickVariant([], 0.5)).toBeUndefined();
  });

  it('never picks a variant without weight, and always picks one', () => {
    const weights = fc
      .array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1 })
      .filter((all) => all.some((one) => one > 0));
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (all, seed) => {
        expect(
          pickVariant(
            all.map((weight) => ({ weight })),
            seed,
          )?.weight,
        ).toBeGreaterThan(0);
      }),
    );
  });
});
