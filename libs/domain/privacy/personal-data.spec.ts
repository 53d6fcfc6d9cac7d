import { PERSONAL_COLLECTIONS } from './personal-data';

describe('the order of erasure', () => {
  it('names each collection once', () => {
    const names = PERSONAL_COLLECTIONS.map(({ collection }) => collection);
    expect(new Set(names).size).toBe(names.length);
  });

  it('keeps the records that identify a person until all others are found through them', () => {
    const early = PERSONAL_COLLECTIONS.flatMap(({ identifies }, at) => {
      if (!identifies) return [];
      const later = PERSONAL_COLLECTIONS.slice(at + 1);
      return later.filter((one) =>
        [one.foundBy, one.identifies?.foundBy].some((by) => by?.[identifies.as] !== undefined),
      );
    });
    expect(early.map(({ collection }) => collection)).toEqual([]);
  });
});
