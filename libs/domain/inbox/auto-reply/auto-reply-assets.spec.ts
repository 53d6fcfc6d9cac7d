import { autoReplyLanguages } from './auto-reply-assets';
import { addedLanguages, dateTerms } from './date-languages';
import { headerRules } from './header-rules';
import { subjects } from './subject-kinds';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'nl', 'it', 'pl', 'sv', 'da', 'fi', 'cs', 'ru', 'ja', 'zh'];

describe('the phrases of automatic replies', () => {
  it('exist for fifteen languages, in their order of evaluation', () => {
    expect(autoReplyLanguages.value.map(({ language }) => language)).toEqual(LANGUAGES);
  });

  it('contain the date terms of these languages, and share the Danish ones with Norwegian', () => {
    expect([...dateTerms().keys()].toSorted()).toEqual([...LANGUAGES, 'no'].toSorted());
    expect(dateTerms().get('no')).toBe(dateTerms().get('da'));
    expect(addedLanguages()).toEqual([]);
  });
});

it('the kinds of subjects are in their order of evaluation', () => {
  const kinds = subjects.value.kinds.map(({ kind }) => kind);
  expect(kinds).toEqual(['automatic', 'absence', 'named-absence', 'challenge', 'received', 'receipt']);
});

it('the rules for headers have unique names', () => {
  const { rules, hints } = headerRules.value;
  for (const list of [rules, hints]) expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
  expect(rules.filter(({ neverAway }) => neverAway).map(({ name }) => name)).toEqual([
    'read-receipt',
    'calendar-response',
    'newsletter',
  ]);
});
