import { replyLabels } from './reply-label-assets';

/** Rules for phrases of English that not every language has. */
const SPARE = new Set([
  'keeps-subscription',
  'their-subject',
  'interested-in-how',
  'unsubscribe',
  'opts-out',
  'not-a-fit',
  'names-somebody',
  'forwarded',
  'thinks-about-it',
  'asks-when',
]);

const namesOf = (language: string) =>
  Object.values(replyLabels.value.find((rules) => rules.language === language)?.phrases ?? {}).flatMap((rules) =>
    rules.map(([name]) => name),
  );

describe('the label rules', () => {
  it('exist for seven languages, in their order of evaluation', () => {
    expect(replyLabels.value.map(({ language }) => language)).toEqual(['en', 'de', 'fr', 'es', 'pt', 'nl', 'it']);
  });

  it.each(replyLabels.value.map(({ language }) => language))('of %s have the common names, each once', (language) => {
    const names = namesOf(language);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !namesOf('en').includes(name))).toEqual([]);
    expect(namesOf('en').filter((name) => !names.includes(name) && !SPARE.has(name))).toEqual([]);
  });

  it('have their fragments expanded', () => {
    const sources = replyLabels.value.flatMap(({ phrases }) => Object.values(phrases).flat());
    expect(sources.filter(([, pattern]) => /\{\{|\}\}/.test(pattern))).toEqual([]);
    expect(sources.find(([name]) => name === 'proposes-time')?.[1]).toContain(
      '(?:mon|tues|wednes|thurs|fri|satur|sun)day',
    );
  });
});
