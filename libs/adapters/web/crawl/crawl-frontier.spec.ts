import { getSite } from '../site/site-scope';
import { CrawlFrontier } from './crawl-frontier';

const open = () => new CrawlFrontier(getSite('https://acme.test/'));
const rest = (frontier: CrawlFrontier): string[] => {
  const all: string[] = [];
  for (let url = frontier.next(); url !== null; url = frontier.next()) all.push(new URL(url).pathname);
  return all;
};

describe('CrawlFrontier', () => {
  it('returns the most informative page first, and equal ones in order of discovery', () => {
    const frontier = open();
    for (const path of ['/blog/a', '/x', '/pricing', '/y', '/about', '/']) frontier.add(path, 'https://acme.test/');
    expect(rest(frontier)).toEqual(['/', '/about', '/pricing', '/x', '/y', '/blog/a']);
  });

  it('returns no page twice in any spelling', () => {
    const frontier = open();
    for (const url of ['https://acme.test/a', 'http://www.acme.test/a/#x', '/a?utm_source=y']) {
      frontier.add(url, 'https://acme.test/');
    }
    expect(rest(frontier)).toEqual(['/a']);
    frontier.add('https://acme.test/a');
    expect(rest(frontier)).toEqual([]);
    expect(frontier.found).toBe(1);
  });

  it('returns no closed page, whether closed before or after its discovery', () => {
    const frontier = open();
    expect(frontier.close('https://acme.test/a')).toBe(true);
    frontier.add('https://acme.test/a');
    frontier.add('https://acme.test/b');
    expect(frontier.close('https://acme.test/b')).toBe(true);
    expect(frontier.close('https://acme.test/b')).toBe(false);
    expect(rest(frontier)).toEqual([]);
  });

  it('stays on the site', () => {
    const frontier = open();
    for (const url of ['https://other.test/', 'file:///etc/passwd', 'https://acme.test:22/', 'mailto:a@acme.test']) {
      frontier.add(url, 'https://acme.test/');
    }
    expect(rest(frontier)).toEqual([]);
  });

  it('accepts three days of a calendar and fifteen pages of one folder', () => {
    const frontier = open();
    for (let day = 1; day < 100; day += 1) frontier.add(`https://acme.test/calendar/2026/${day}`);
    for (let at = 0; at < 100; at += 1)
      frontier.add(`https://acme.test/blog/${String.fromCharCode(97 + (at % 26))}${'x'.repeat(at)}`);
    const paths = rest(frontier);
    expect(paths.filter((path) => path.startsWith('/calendar/'))).toHaveLength(3);
    expect(paths.filter((path) => path.startsWith('/blog/'))).toHaveLength(15);
  });

  it('stores at most 2000 pages', () => {
    const frontier = open();
    const name = (at: number) =>
      String(at)
        .split('')
        .map((digit) => 'abcdefghij'[Number(digit)])
        .join('');
    for (let at = 0; at < 2_100; at += 1) frontier.add(`https://acme.test/${name(at)}`);
    expect(frontier.found).toBe(2_000);
  });
});
