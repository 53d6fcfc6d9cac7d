import { FakePagesDriver } from '../fake/fake-pages.driver';
import { CrawlVirtualTimer } from '../testing/crawl-virtual-timer';
import { CRAWL_LIMITS, type CrawlLimits } from './crawl-limits';
import { type CrawledPage, type KnownPage } from './crawled-page';
import { SiteCrawler } from './site-crawler';

const SITE = 'https://acme.test';
const FOREVER = new AbortController().signal;
const TEXT = 'Acme Rail runs the timetables of forty regional railways and tells passengers about';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** A number in words, because digits do not distinguish pages. */
const word = (at: number) =>
  String(at)
    .split('')
    .map((digit) => LETTERS[Number(digit)])
    .join('');
const page = (about: string, ...links: string[]) =>
  `<html><head><title>${about}</title></head><body><p>${TEXT} ${about}.</p>${links.map((href) => `<a href="${href}">x</a>`).join('')}</body></html>`;

describe('SiteCrawler', () => {
  let web: FakePagesDriver;
  let timer: CrawlVirtualTimer;
  beforeEach(() => {
    web = new FakePagesDriver();
    timer = new CrawlVirtualTimer();
  });

  const put = (path: string, body: string) => web.put(`${SITE}${path}`, body);
  const moved = (from: string, location: string) => web.put(from, { status: 301, headers: { location } });
  const paths = () =>
    web.requests.map((url) => url.replace(SITE, '')).filter((path) => !/robots\.txt|sitemap\.xml/.test(path));

  async function crawl(
    options: {
      start?: string;
      known?: KnownPage[];
      spentMs?: number;
      limits?: Partial<CrawlLimits>;
      signal?: AbortSignal;
    } = {},
  ): Promise<CrawledPage[]> {
    const { start = `${SITE}/`, known = [], spentMs = 0, limits = {}, signal = FOREVER } = options;
    const pages: CrawledPage[] = [];
    const crawler = new SiteCrawler(web, 'OutreachBot', { ...CRAWL_LIMITS, ...limits }, timer);
    const onPage = (read: CrawledPage) => Promise.resolve(void pages.push(read));
    await crawler.crawl({ start, known, spentMs, onPage, signal });
    return pages;
  }
  const told = (pages: readonly CrawledPage[]) =>
    pages.map(({ url, status, reason }) => [url.replace(SITE, ''), reason ?? status]);

  it('reads the start page, then the most informative pages, and requests nothing twice', async () => {
    put('/', page('home', '/blog', '/pricing', '/about', '/', '/#top'));
    put('/about', page('us', '/', '/team', '/pricing'));
    put('/pricing', page('prices'));
    put('/blog', page('news'));
    put('/team', page('people'));
    const pages = await crawl();
    expect(told(pages)).toEqual([
      ['/', 'read'],
      ['/about', 'read'],
      ['/pricing', 'read'],
      ['/team', 'read'],
      ['/blog', 'read'],
    ]);
    expect(new Set(web.requests).size).toBe(web.requests.length);
    expect(pages[0]).toMatchObject({ title: 'home', text: expect.stringContaining(TEXT) as unknown });
  });

  it('waits a second between requests, or as long as the site asks, up to half a minute', async () => {
    put('/', page('home', '/about'));
    put('/about', page('us'));
    await crawl();
    expect(new Set(timer.waits)).toEqual(new Set([1_000]));
    for (const [asked, granted] of [
      ['0', 1_000],
      ['5', 5_000],
      ['3600', 30_000],
    ] as const) {
      timer = new CrawlVirtualTimer();
      web.put(`${SITE}/robots.txt`, { body: `User-agent: *\nCrawl-delay: ${asked}` });
      await crawl();
      expect(new Set(timer.waits)).toEqual(new Set([granted]));
    }
  });

  it('requests robots.txt first and respects it', async () => {
    web.put(`${SITE}/robots.txt`, { body: 'User-agent: OutreachBot\nDisallow: /about' });
    put('/', page('home', '/about', '/pricing'));
    put('/pricing', page('prices'));
    expect(told(await crawl())).toEqual([
      ['/', 'read'],
      ['/about', 'robots'],
      ['/pricing', 'read'],
    ]);
    expect(web.requests[0]).toBe(`${SITE}/robots.txt`);
    expect(web.requests).not.toContain(`${SITE}/about`);
  });

  it('reads nothing of a site whose robots.txt fails or forbids everything', async () => {
    web.put(`${SITE}/robots.txt`, { status: 503 });
    expect(told(await crawl())).toEqual([['/', 'robots_unavailable']]);
    web.fail(`${SITE}/robots.txt`, 'unreachable');
    expect(told(await crawl())).toEqual([['/', 'unreachable']]);
    web.put(`${SITE}/robots.txt`, { body: 'User-agent: *\nDisallow: /' });
    expect(told(await crawl())).toEqual([['/', 'robots']]);
    expect(paths()).toEqual([]);
  });

  it('requests the robots.txt of each redirect origin', async () => {
    moved(`${SITE}/`, 'https://www.acme.test/');
    web.put('https://www.acme.test/robots.txt', { body: 'User-agent: *\nDisallow: /' });
    expect(told(await crawl())).toEqual([['https://www.acme.test/', 'robots']]);
    expect(web.requests).not.toContain('https://www.acme.test/');
  });

  describe('redirects', () => {
    it('are followed within the site, and the page counts once', async () => {
      put('/', page('home', '/old', '/new'));
      moved(`${SITE}/old`, '/new');
      put('/new', page('new'));
      expect(told(await crawl())).toEqual([
        ['/', 'read'],
        ['/new', 'read'],
      ]);
    });

    it('of the start page may lead to another host of its domain, and the crawl continues only there', async () => {
      moved('https://acme.com/', 'https://en.acme.com/home');
      web.put('https://en.acme.com/home', page('home', '/about', 'https://acme.com/x'));
      web.put('https://en.acme.com/about', page('us'));
      expect(told(await crawl({ start: 'https://acme.com/' }))).toEqual([
        ['https://en.acme.com/home', 'read'],
        ['https://en.acme.com/about', 'read'],
      ]);
    });

    it.each([
      ['another company', 'https://other.com/'],
      ['a private address', 'http://10.0.0.1/'],
      ['a file', 'file:///etc/passwd'],
      ['data', 'data:text/html,<p>x</p>'],
      ['another port', 'https://acme.test:8443/'],
      ['an address with a password', 'https://a:b@acme.test/'],
    ])('to %s are not followed', async (_where, location) => {
      moved(`${SITE}/`, location);
      expect(told(await crawl())).toEqual([['/', 'left_site']]);
      expect(web.requests).toEqual([`${SITE}/robots.txt`, `${SITE}/`]);
    });

    it('of another page than the first may not change the host', async () => {
      put('/', page('home', '/a'));
      moved(`${SITE}/a`, 'https://en.acme.test/');
      expect(told(await crawl())).toEqual([
        ['/', 'read'],
        ['/a', 'left_site'],
      ]);
    });

    it('in a loop or without end are not followed to the end', async () => {
      put('/', page('home', '/a', '/step-a'));
      moved(`${SITE}/a`, '/b');
      moved(`${SITE}/b`, '/a');
      for (let at = 0; at < 10; at += 1) moved(`${SITE}/step-${LETTERS[at]}`, `/step-${LETTERS[at + 1]}`);
      const pages = await crawl();
      expect(told(pages)).toEqual([
        ['/', 'read'],
        ['/a', 'redirects'],
        ['/step-a', 'redirects'],
      ]);
      expect(paths().filter((path) => path.startsWith('/step'))).toHaveLength(6);
    });
  });

  it('follows a meta refresh like a link, and a loop of them only once', async () => {
    const refresh = (to: string) => `<meta http-equiv="refresh" content="0;url=${to}">`;
    put('/', refresh('/a'));
    put('/a', refresh('/b'));
    put('/b', refresh('/a'));
    expect(told(await crawl())).toEqual([
      ['/', 'no_text'],
      ['/a', 'no_text'],
      ['/b', 'no_text'],
    ]);
  });

  it('reads a page at its canonical URL, and skips a page whose canonical URL was read', async () => {
    put('/', page('home', '/a?x=1', '/b'));
    put('/a?x=1', `<link rel="canonical" href="/a">${page('a', '/a')}`);
    put('/b', `<link rel="canonical" href="/">${page('b')}`);
    put('/a', page('a'));
    expect(told(await crawl())).toEqual([
      ['/', 'read'],
      ['/a', 'read'],
      ['/b', 'duplicate'],
    ]);
  });

  it('stops after 50 read pages and after 150 requests', async () => {
    put('/', page('home', ...Array.from({ length: 100 }, (_, at) => `/p${word(at)}`)));
    for (let at = 0; at < 100; at += 1) put(`/p${word(at)}`, page(word(at)));
    expect((await crawl()).filter(({ status }) => status === 'read')).toHaveLength(50);
    web = new FakePagesDriver();
    put('/', page('home', ...Array.from({ length: 290 }, (_, at) => `/gone-${word(at)}`)));
    await crawl();
    expect(web.requests).toHaveLength(150);
  });

  it('ends on an endless site where each page links to two new ones', async () => {
    web.onFetch = (url) => {
      const { pathname } = new URL(url);
      if (pathname.endsWith('.txt') || pathname.endsWith('.xml')) return;
      const name = pathname.replaceAll('/', '');
      web.put(url, page(`${name} page`, `${pathname.replace(/\/$/, '')}/left`, `${pathname.replace(/\/$/, '')}/right`));
    };
    const pages = await crawl();
    expect(pages.length).toBeLessThanOrEqual(50);
    expect(web.requests.length).toBeLessThanOrEqual(150);
  });

  it('reads at most three pages of a calendar, and one of several pages with the same text', async () => {
    put('/', page('home', '/calendar/2026/1', '/same-a', '/same-b'));
    for (let month = 1; month < 50; month += 1) {
      put(`/calendar/2026/${month}`, page(`month ${month}`, `/calendar/2026/${month + 1}`));
    }
    put('/same-a', page('same'));
    put('/same-b', page('same'));
    const pages = told(await crawl());
    expect(pages.filter(([url]) => url?.startsWith('/calendar'))).toEqual([
      ['/calendar/2026/1', 'read'],
      ['/calendar/2026/2', 'duplicate'],
      ['/calendar/2026/3', 'duplicate'],
    ]);
    expect(pages).toContainEqual(['/same-b', 'duplicate']);
  });

  it('stops at its timeout, including the time of earlier attempts', async () => {
    put('/', page('home', ...Array.from({ length: 20 }, (_, at) => `/p${word(at)}`)));
    for (let at = 0; at < 20; at += 1) put(`/p${word(at)}`, page(word(at)));
    web.onFetch = () => timer.pass(9_000);
    expect((await crawl({ limits: { crawlMs: 60_000 } })).length).toBeLessThanOrEqual(6);
    expect(await crawl({ limits: { crawlMs: 60_000 }, spentMs: 60_000 })).toEqual([]);
  });

  it('stops after five consecutive failures, and slows down when the site requires it', async () => {
    put('/', page('home', ...Array.from({ length: 20 }, (_, at) => `/p${word(at)}`)));
    for (let at = 0; at < 20; at += 1) web.put(`${SITE}/p${word(at)}`, { status: 429 });
    const pages = await crawl();
    expect(
      told(pages)
        .slice(1)
        .map(([, reason]) => reason),
    ).toEqual(Array.from({ length: 5 }, () => 'busy'));
    expect(timer.waits.slice(-4)).toEqual([2_000, 4_000, 8_000, 16_000]);
  });

  it('finds pages by the sitemap when the start page has no links', async () => {
    put('/', page('home'));
    put('/about', page('us'));
    put(
      '/sitemap.xml',
      `<urlset><url><loc>${SITE}/about</loc></url><url><loc>https://other.test/</loc></url></urlset>`,
    );
    expect(told(await crawl())).toEqual([
      ['/', 'read'],
      ['/about', 'read'],
    ]);
  });

  it('requests sitemaps of its own site only, up to a limit', async () => {
    put('/', page('home'));
    const index = (to: string) => `<sitemapindex><sitemap><loc>${to}</loc></sitemap></sitemapindex>`;
    web.put(`${SITE}/robots.txt`, { body: `Sitemap: https://other.test/s.xml\nSitemap: ${SITE}/s.xml` });
    put('/s.xml', index(`${SITE}/s.xml`));
    await crawl();
    expect(web.requests.filter((url) => url.endsWith('/s.xml'))).toEqual(
      Array.from({ length: 3 }, () => `${SITE}/s.xml`),
    );
  });

  it('continues after an interruption at the host to which the site had moved', async () => {
    moved('https://acme.com/', 'https://en.acme.com/');
    web.put('https://en.acme.com/', page('home', '/about', '/pricing'));
    web.put('https://en.acme.com/about', page('us', '/team'));
    web.put('https://en.acme.com/pricing', page('prices'));
    web.put('https://en.acme.com/team', page('people'));
    const whole = await crawl({ start: 'https://acme.com/' });
    expect(whole).toHaveLength(4);
    for (let done = 1; done < whole.length; done += 1) {
      web.requests.length = 0;
      const rest = await crawl({ start: 'https://acme.com/', known: whole.slice(0, done) });
      expect(told(rest)).toEqual(told(whole.slice(done)));
      const known = new Set(whole.slice(0, done).map(({ url }) => url));
      expect(web.requests.filter((url) => known.has(url))).toEqual([]);
    }
  });

  it('ends with the reason of the signal, and sends no further request', async () => {
    const patience = new AbortController();
    put('/', page('home', '/about'));
    web.onFetch = (url) => url === `${SITE}/` && patience.abort(new Error('enough'));
    await expect(crawl({ signal: patience.signal })).rejects.toThrow('enough');
    expect(web.requests).toEqual([`${SITE}/robots.txt`, `${SITE}/`]);
  });

  it('refuses a start that is no http(s) URL', async () => {
    await expect(crawl({ start: 'file:///etc/passwd' })).rejects.toThrow(RangeError);
    expect(web.requests).toEqual([]);
  });
});
