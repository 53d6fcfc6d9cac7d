import fc from 'fast-check';
import { findLikelyDomain, countSlips } from './domain-typo';

describe('probablyMeant', () => {
  it.each([
    ['gmial.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hotmal.cmo', 'hotmail.com'],
    ['outlok.com', 'outlook.com'],
    ['yahooo.com', 'yahoo.com'],
    ['iclod.com', 'icloud.com'],
    ['protonmial.com', 'protonmail.com'],
    ['t-onlin.de', 't-online.de'],
  ])('suggests for %s the domain %s', (domain, meant) => {
    expect(findLikelyDomain(domain)).toBe(meant);
  });

  it.each([
    'gmail.com',
    'mail.com',
    'email.com',
    'ymail.com',
    'yahoo.de',
    'hotmail.fr',
    'gmx.at',
    'aon.com',
    'example.com',
    'qqq.com',
    'web.com',
    'com',
    '',
  ])('has no suggestion for %j', (domain) => {
    expect(findLikelyDomain(domain)).toBeNull();
  });
});

describe('slipsBetween', () => {
  it.each([
    ['', '', 0],
    ['ab', 'ba', 1],
    ['abc', 'ac', 1],
    ['abc', 'abcd', 1],
    ['abc', 'axc', 1],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
  ])('counts between %j and %j: %d', (one, other, slips) => {
    expect(countSlips(one, other)).toBe(slips);
  });

  it('is symmetric, 0 only for equal texts, and at most the length of the longer text', () => {
    const text = fc.stringMatching(/^[abc.]{0,8}$/);
    fc.assert(
      fc.property(text, text, (one, other) => {
        const slips = countSlips(one, other);
        expect(slips).toBe(countSlips(other, one));
        expect(slips === 0).toBe(one === other);
        expect(slips).toBeLessThanOrEqual(Math.max(one.length, other.length));
      }),
    );
  });
});
