import { isOwnLink, removeOwnLinks } from './own-links';

const TOKEN = 'A'.repeat(43);
const isOurs = (_kind: string, token: string) => token === TOKEN;
const without = (text: string) => removeOwnLinks(text, isOurs);
const safe = `https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Ft.test%2Fu%2F${TOKEN}&data=05%7C01`;

describe('withoutOwnLinks', () => {
  it.each([
    [`> Unsubscribe: https://t.test/u/${TOKEN}`, '> Unsubscribe: [link removed]'],
    [`our roadmap<https://t.test/t/c/${TOKEN}>, too`, 'our roadmap<[link removed]>, too'],
    [`(http://t.test:8080/base/t/o/${TOKEN}.gif).`, '([link removed]).'],
    [`[x](https://t.test/t/h/${TOKEN})`, '[x]([link removed])'],
    [`HTTPS://T.TEST/u/${TOKEN} and https://b.test/`, '[link removed] and https://b.test/'],
    [`See ${safe} there`, 'See [link removed] there'],
  ])('converts %j to %j', (text, expected) => {
    expect(without(text)).toBe(expected);
  });

  it.each([
    'https://t.test/u/other',
    `https://t.test/u/${'B'.repeat(43)}`,
    `https://t.test/v/${TOKEN}`,
    `/u/${TOKEN}`,
    'No link at all',
    '',
  ])('keeps %j', (text) => {
    expect(without(text)).toBe(text);
  });

  it('handles a text of links only in linear time', () => {
    const text = `https://t.test/u/${TOKEN} `.repeat(1_000) + `http://${'u/'.repeat(30_000)}`;
    expect(without(text)).toBe('[link removed] '.repeat(1_000) + `http://${'u/'.repeat(30_000)}`);
  });
});

it('recognises an own link inside another one', () => {
  expect([isOwnLink(safe, isOurs), isOwnLink('https://t.test/', isOurs)]).toEqual([true, false]);
});
