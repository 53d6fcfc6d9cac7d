import { type PageAnswer } from '../port/web-pages.port';
import { toRules } from './robots-rules';

const ROBOTS = 'https://acme.test/robots.txt';
const answer = (status: number, body = ''): PageAnswer => ({
  kind: 'answered',
  url: ROBOTS,
  status,
  headers: {},
  body: Buffer.from(body),
  isTruncated: false,
});
const rules = (text: string) => toRules(answer(200, text), ROBOTS, 'OutreachBot');
const isAllowed = (text: string, path: string) => rules(text).isAllowed(`https://acme.test${path}`);

describe('robots.txt', () => {
  it.each<[string, string, string, boolean]>([
    ['nothing', '', '/a', true],
    ['an empty rule', 'User-agent: *\nDisallow:', '/a', true],
    ['all', 'User-agent: *\nDisallow: /', '/a', false],
    ['a folder', 'User-agent: *\nDisallow: /private/', '/private/a', false],
    ['the name of a folder alone', 'User-agent: *\nDisallow: /private/', '/private', true],
    [
      'our group before that for all',
      'User-agent: *\nDisallow: /\n\nUser-agent: OutreachBot\nDisallow: /x',
      '/a',
      true,
    ],
    ['our group', 'User-agent: *\nDisallow:\n\nUser-agent: outreachbot\nDisallow: /', '/a', false],
    ['our group with a version', 'User-agent: OutreachBot/2.0\nDisallow: /', '/a', false],
    ['a group of several', 'User-agent: Other\nUser-agent: OutreachBot\nDisallow: /', '/a', false],
    [
      'our groups in two places',
      'User-agent: OutreachBot\nDisallow: /a\n\nUser-agent: OutreachBot\nDisallow: /b',
      '/b',
      false,
    ],
    ["another robot's group", 'User-agent: Other\nDisallow: /', '/a', true],
    ['the longer rule', 'User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['allow, where both are as long', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['a wildcard', 'User-agent: *\nDisallow: /*/secret', '/x/secret', false],
    ['an end', 'User-agent: *\nDisallow: /*.php$', '/a.php', false],
    ['an end that is none', 'User-agent: *\nDisallow: /*.php$', '/a.php?x=1', true],
    ['case of paths', 'User-agent: *\nDisallow: /A', '/a', true],
    ['percent-encoding', 'User-agent: *\nDisallow: /%7euser%c3%bc', '/~user%C3%BC', true],
    ['comments', 'User-agent: * # all\nDisallow: /a # not here', '/a', false],
    ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /', '/a', false],
    ['line ends of old', 'User-agent: *\rDisallow: /a\rDisallow: /b', '/b', false],
    ['a page of HTML', '<html><body>Not here</body></html>', '/a', true],
  ])('is parsed: %s', (_what, text, path, allowed) => expect(isAllowed(text, path)).toBe(allowed));

  it.each<[string, PageAnswer, boolean, string]>([
    ['404', answer(404), true, 'robots'],
    ['403', answer(403), true, 'robots'],
    ['a redirect to nowhere', answer(302), true, 'robots'],
    ['too many redirects', { kind: 'unanswered', reason: 'redirects' }, true, 'robots'],
    ['429', answer(429), false, 'robots_unavailable'],
    ['500', answer(500), false, 'robots_unavailable'],
    ['503', answer(503), false, 'robots_unavailable'],
    ['no connection', { kind: 'unanswered', reason: 'unreachable' }, false, 'unreachable'],
    ['no host', { kind: 'unanswered', reason: 'dns' }, false, 'dns'],
    ['no time', { kind: 'unanswered', reason: 'timeout' }, false, 'timeout'],
    ['a private address', { kind: 'unanswered', reason: 'address_refused' }, false, 'address_refused'],
  ])('that is unavailable because of %s', (_why, given, allowed, refusal) => {
    const made = toRules(given, ROBOTS, 'OutreachBot');
    expect(made.isAllowed('https://acme.test/')).toBe(allowed);
    expect(made.refusal).toBe(refusal);
  });

  it('does not apply to another origin', () => {
    expect(rules('').isAllowed('https://other.test/')).toBe(false);
    expect(rules('').isAllowed('http://acme.test/')).toBe(false);
  });

  it.each<[string, number | null]>([
    ['Crawl-delay: 2', 2_000],
    ['Crawl-delay: 0.5', 500],
    ['Crawl-delay: soon', null],
    ['Crawl-delay: -1', null],
    ['', null],
  ])('of %j requires a gap of %s ms', (line, delayMs) => {
    expect(rules(`User-agent: *\n${line}\nDisallow:`).delayMs).toBe(delayMs);
  });

  it('names sitemaps, of which three are used', () => {
    const text = [1, 2, 3, 4].map((at) => `Sitemap: https://acme.test/${at}.xml`).join('\n');
    expect(rules(text).sitemaps).toEqual([1, 2, 3].map((at) => `https://acme.test/${at}.xml`));
  });

  it('forbids all pages when the rules have more than 2000 wildcards, which are too expensive to match', () => {
    const wild = (count: number) => `User-agent: *\n${'Disallow: /*b\n'.repeat(count - 1)}`;
    expect(rules(wild(2_000)).isAllowed('https://acme.test/a')).toBe(true);
    expect(rules(wild(2_001))).toMatchObject({ refusal: 'robots_unavailable', sitemaps: [] });
    expect(rules(wild(2_001)).isAllowed('https://acme.test/a')).toBe(false);
    expect(isAllowed(`User-agent: *\n${`Disallow: /${'*a'.repeat(280)}b\n`.repeat(850)}`, `/${'a'.repeat(480)}`)).toBe(
      false,
    );
  });

  it('terminates on any input', () => {
    const stars = `User-agent: *\nDisallow: /${'*a'.repeat(250)}\n${`Disallow: ${'*'.repeat(500)}b\n`.repeat(1_000)}`;
    expect(isAllowed(stars, `/${'a'.repeat(400)}`)).toBe(false);
    expect(isAllowed(`User-agent: *\nDisallow: /${'x'.repeat(600_000)}`, '/a')).toBe(true);
    expect(isAllowed('\n'.repeat(500_000), '/a')).toBe(true);
  });
});
