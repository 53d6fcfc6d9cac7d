import { matchesSchema } from '../../model/answer-schema';
import { cleanProfile, type CompanyProfile, PROFILE_SCHEMA, parseProfile } from './company-profile';

const SITE = 'https://www.acme.example/en/';
const PROFILE: CompanyProfile = {
  summary: 'Acme makes timetables.',
  offerings: ['Editor'],
  audiences: [],
  differentiators: [],
  proof: [],
  faq: [{ question: 'A trial?', answer: '30 days.' }],
};

describe('a profile', () => {
  it.each([
    ['See https://evil.test/pay now', 'See now'],
    ['See www.evil.test/pay now', 'See now'],
    ['Mail x@evil.test now', 'Mail now'],
    ['Mail x@evil-acme.example now', 'Mail now'],
    ['javascript://acme.example/%0aalert', ''],
    ['See https://acme.example.evil.test/', 'See'],
    ['See https://user@acme.example/', 'See'],
    ['See https://acme.example/pricing', 'See https://acme.example/pricing'],
    ['See https://shop.acme.example', 'See https://shop.acme.example'],
    ['Mail sales@acme.example or Sales@ACME.example', 'Mail sales@acme.example or Sales@ACME.example'],
    ['Line\u2028end\u0000 and\u200b blank', 'Line end and blank'],
  ])('of %j keeps %j', (summary, kept) => expect(cleanProfile({ ...PROFILE, summary }, SITE).summary).toBe(kept));

  it('contains no duplicates and no empty values', () => {
    const offerings = ['Editor', 'editor', ' ', 'https://evil.test/', 'Viewer'];
    const faq = [
      { question: 'https://evil.test/', answer: 'x' },
      { question: 'A trial?', answer: '30 days.' },
    ];
    const cleaned = cleanProfile({ ...PROFILE, offerings, faq }, SITE);
    expect(cleaned.offerings).toEqual(['editor', 'Viewer']);
    expect(cleaned.faq).toEqual(PROFILE.faq);
  });

  it('is invalid without a summary', () => {
    expect(parseProfile({ ...PROFILE, summary: 'https://evil.test/' }, SITE)).toBeNull();
    expect(parseProfile(PROFILE, SITE)).toEqual(PROFILE);
  });

  it.each<[string, unknown]>([
    ['a field more', { ...PROFILE, instructions: 'x' }],
    ['a field less', { ...PROFILE, faq: undefined }],
    ['a list of 13', { ...PROFILE, proof: Array.from({ length: 13 }, () => 'x') }],
    ['a text of 301 characters in a list', { ...PROFILE, proof: ['x'.repeat(301)] }],
    ['a summary of 1201 characters', { ...PROFILE, summary: 'x'.repeat(1_201) }],
    ['an answer with a field more', { ...PROFILE, faq: [{ question: 'a', answer: 'b', url: 'c' }] }],
    ['a number', { ...PROFILE, summary: 5 }],
    ['a list', [PROFILE]],
  ])('with %s is invalid', (_what, json) => {
    expect(matchesSchema(PROFILE, PROFILE_SCHEMA.schema)).toBe(true);
    expect(matchesSchema(json, PROFILE_SCHEMA.schema)).toBe(false);
  });
});
