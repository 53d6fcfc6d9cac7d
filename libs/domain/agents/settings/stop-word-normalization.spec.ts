import { normalizeStopWord, normalizeStopWords } from './stop-word-normalization';

describe('stop words', () => {
  it.each([
    ['  Lawyer ', 'lawyer'],
    ['REFUND  now\n', 'refund now'],
    ['ｌａｗｙｅｒ', 'lawyer'],
    ['Über', 'über'],
  ])('%j is compared as %j', (given, normal) => {
    expect(normalizeStopWord(given)).toBe(normal);
  });

  it('are kept once each, in the order given', () => {
    expect(normalizeStopWords(['Refund', 'lawyer', ' refund'])).toEqual(['refund', 'lawyer']);
  });
});
