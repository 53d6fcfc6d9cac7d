import { type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { OutboundHttpClient } from '@platform/outbound';
import { hastyCrawler } from '../testing/hasty-crawler';
import { SiteServer } from '../testing/site-server';
import { type CrawledPage } from './crawled-page';

const FOREVER = new AbortController().signal;
const TEXT = 'Acme Rail runs the timetables of forty regional railways and tells passengers the truth about delays.';
const page = (...links: string[]) =>
  `<html><body><p>${TEXT}</p>${links.map((href) => `<a href="${href}">x</a>`).join('')}</body></html>`;

/** Writes as fast as the client reads, until it disconnects. */
function pour(response: ServerResponse): void {
  const piece = '<p>more</p>'.repeat(10_000);
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more);
  };
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': String(1024 ** 3) });
  more();
}

/** Writes single bytes slowly until the client disconnects. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' });
  const timer = setInterval(() => response.write('x'), 20);
  response.once('close', () => clearInterval(timer));
}

describe('A crawl over HTTP', () => {
  let site: SiteServer;
  const open = new OutboundHttpClient({ allowPrivate: true });
  const guarded = new OutboundHttpClient({ allowPrivate: false });
  beforeEach(async () => {
    site = await SiteServer.start();
  });
  afterEach(() => site.close());
  afterAll(() => Promise.all([open.onModuleDestroy(), guarded.onModuleDestroy()]));

  async function crawl(http = open): Promise<[string, string][]> {
    const pages: CrawledPage[] = [];
    const crawler = hastyCrawler(http, { pageMs: 1_000 });
    const onPage = (read: CrawledPage) => Promise.resolve(void pages.push(read));
    await crawler.crawl({ start: site.url('/'), known: [], spentMs: 0, onPage, signal: FOREVER });
    return pages.map(({ url, reason, status }) => [new URL(url).pathname, reason ?? status]);
  }

  it.each<[string, string, (response: ServerResponse) => void]>([
    ['a page of a gigabyte', 'too_large', pour],
    ['a page that drips', 'timeout', drip],
    ['a page that never comes', 'timeout', () => undefined],
    ['a connection that breaks', 'unreachable', (response) => response.destroy()],
    [
      'unrequested compression',
      'encoded',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(10_000_000))),
    ],
    [
      'a picture that says it is a page',
      'not_text',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(Buffer.alloc(100_000, 0x89)),
    ],
    ['a PDF', 'not_text', (response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7')],
    [
      'levels without end',
      'too_complex',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<div>'.repeat(300_000)),
    ],
    ['an error', 'server_error', (response) => response.writeHead(500).end()],
    ['a page for members', 'forbidden', (response) => response.writeHead(403).end()],
    [
      'a machine that keeps off',
      'noindex',
      (response) => response.writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': 'noindex' }).end(page()),
    ],
    [
      'a redirect into the network',
      'left_site',
      (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    ],
    [
      'a redirect to a file',
      'left_site',
      (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    ],
  ])('skips %s with the reason, and continues', async (_what, reason, answer) => {
    site.put('/', { body: page('/trap', '/zz-after') });
    site.answer('/trap', answer);
    site.put('/zz-after', { body: page().replace('truth', 'whole truth') });
    expect(await crawl()).toEqual([
      ['/', 'read'],
      ['/trap', reason],
      ['/zz-after', 'read'],
    ]);
  });

  it('connects to no private address, not even for robots.txt', async () => {
    site.put('/', { body: page() });
    expect(await crawl(guarded)).toEqual([['/', 'address_refused']]);
    expect(site.asked).toEqual([]);
  });

  it('sends one request at a time', async () => {
    let [now, most] = [0, 0];
    site.otherwise = (path, response) => {
      now += 1;
      most = Math.max(most, now);
      setImmediate(() => {
        now -= 1;
        if (path === '/robots.txt') response.writeHead(404).end();
        else response.writeHead(200, { 'content-type': 'text/html' }).end(page('/a', '/b', '/c', '/d'));
      });
    };
    await crawl();
    expect(site.asked.length).toBeGreaterThan(4);
    expect(most).toBe(1);
  });
});
