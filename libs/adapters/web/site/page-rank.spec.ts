import { getRank } from './page-rank';

describe('rankOf', () => {
  it('ranks the most informative pages about a company first', () => {
    const paths = [
      '/',
      '/about-us',
      '/products',
      '/pricing.html',
      '/customers',
      '/faq',
      '/something',
      '/products/timetables',
      '/blog',
      '/blog/2026/hello',
    ];
    const ranks = paths.map((path) => getRank(`https://acme.test${path}`));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(ranks).size).toBe(paths.length);
  });

  it.each([
    ['/en', '/'],
    ['/de-ch/about', '/about'],
    ['/About_Us.html', '/about-us'],
    ['/unternehmen', '/about'],
  ])('ranks %s as %s', (path, same) => {
    expect(getRank(`https://acme.test${path}`)).toBe(getRank(`https://acme.test${same}`));
  });
});
