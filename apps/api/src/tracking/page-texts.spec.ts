import { selectLanguage, pageLanguages, getTexts } from './page-texts';

describe('the language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['DE-at, en;q=0.5', 'de'],
    ['en;q=0.5, fr-CA;q=0.8', 'fr'],
    ['ja, xx;q=0.9, pt-BR;q=0.1', 'pt'],
    ['nl;q=0, it', 'it'],
    ['es;q=1.000', 'es'],
    ['constructor, __proto__', 'en'],
    [`${'de;q=0.1,'.repeat(100_000)}fr`, 'de'],
    ['de;q=x', 'en'],
  ])('for %j is %s', (accepted, language) => {
    expect(selectLanguage(accepted)).toBe(language);
  });

  it.each(pageLanguages())('%s has every text, with the names in place', (language) => {
    const texts = getTexts(language);
    expect(Object.keys(texts)).toEqual(Object.keys(getTexts('en')));
    for (const [name, text] of Object.entries(texts)) {
      const names = ['question', 'done'].includes(name) ? ['{email}', '{sender}'] : [];
      expect(text.match(/\{\w+\}/g)?.toSorted() ?? []).toEqual(names);
      expect(text.trim()).not.toBe('');
    }
  });
});
