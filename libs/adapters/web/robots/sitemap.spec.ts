import { getSitemap } from './sitemap';

const set = (...urls: string[]) =>
  `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

describe('sitemapOf', () => {
  it('finds the pages', () => {
    const text = set(' https://acme.test/a ', 'https://acme.test/b?x=1&amp;y=2');
    expect(getSitemap(text)).toEqual({ pages: ['https://acme.test/a', 'https://acme.test/b?x=1&y=2'], sitemaps: [] });
  });

  it('finds the sitemaps of an index', () => {
    const text = '<sitemapindex><sitemap><loc>https://acme.test/1.xml</loc></sitemap></sitemapindex>';
    expect(getSitemap(text)).toEqual({ pages: [], sitemaps: ['https://acme.test/1.xml'] });
  });

  it('returns at most 500 URLs', () => {
    const urls = Array.from({ length: 600 }, (_, at) => `https://acme.test/${at}`);
    expect(getSitemap(set(...urls)).pages).toHaveLength(500);
  });

  it('resolves no external content', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;</loc></url></urlset>';
    expect(getSitemap(bomb).pages).toEqual(['&a;']);
  });
});
