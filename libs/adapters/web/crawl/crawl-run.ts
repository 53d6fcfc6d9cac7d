import { type PageAnswer } from '../port/web-pages.port';
import { readPageAnswer } from '../extraction/response-reader';
import { MIN_TEXT_CHARACTERS, type PageReading } from '../extraction/page-reader';
import { normalizeUrl, getPageKey } from '../site/page-url';
import { isOfSite, getRedirectedSite, type Site, getSite } from '../site/site-scope';
import { CrawlFrontier } from './crawl-frontier';
import { type CrawlLimits } from './crawl-limits';
import { type CrawledPage, type KnownPage, type PageReason, toUnreadPage } from './crawled-page';
import { type SiteRequester } from './site-requester';

const MAX_REDIRECTS = 5;
/** Maximum consecutive failed pages: the site is down or blocks us. */
const MAX_FAILURES_IN_A_ROW = 5;
const HURTING: ReadonlySet<PageReason | null> = new Set(['busy', 'server_error', 'timeout', 'unreachable', 'dns']);
/** The sitemap is requested when the start page links to fewer pages. */
const ENOUGH_FOUND = 50;

type Loaded =
  | { readonly url: string; readonly answer: PageAnswer }
  | { readonly url: string; readonly skipped: PageReason };

/** One crawl of one site, which can continue after an interruption. */
export class CrawlRun {
  /** Keys of pages that are settled. */
  readonly #done = new Set<string>();
  readonly #hashes = new Set<string>();
  /** The URL of the start page after redirects. */
  #home: string | null = null;
  #site: Site;
  #frontier: CrawlFrontier;
  #read = 0;
  #failuresInARow = 0;

  /** @param start normal (`normalizeUrl`) */
  constructor(
    private readonly start: string,
    private readonly requests: SiteRequester,
    private readonly limits: CrawlLimits,
  ) {
    this.#site = getSite(start);
    this.#frontier = new CrawlFrontier(this.#site);
  }

  /** Pages of the site that are known, read or not. */
  get found(): number {
    return this.#frontier.found;
  }

  get hasEnough(): boolean {
    return this.#read >= this.limits.pages || this.#failuresInARow >= MAX_FAILURES_IN_A_ROW;
  }

  /** Restores the pages of an earlier attempt in their order: the first is the start page. */
  resume(known: readonly KnownPage[]): void {
    const [first] = known;
    if (first?.status === 'read') {
      this.#home = first.url;
      this.#move(getRedirectedSite(this.#site, first.url) ?? this.#site);
    }
    for (const { url, status, hash, links } of known) {
      this.#settle(url, hash);
      if (status === 'read') this.#read += 1;
      for (const link of links) this.#frontier.add(link);
    }
    if (first) this.#frontier.close(this.start);
  }

  /** The start page first, then the most informative page; null when none is left. @throws the signal's reason */
  async next(): Promise<CrawledPage | null> {
    if (this.#done.size === 0) return this.#take(this.start);
    const url = this.#frontier.next();
    return url === null ? null : this.#take(url);
  }

  /** Requests the sitemap when the start page has few links. @throws the signal's reason */
  async fetchSitemaps(): Promise<void> {
    if (this.#home === null || this.found >= ENOUGH_FOUND) return;
    for (const url of await this.requests.sitemapPages(this.#home)) this.#frontier.add(url);
  }

  async #take(url: string): Promise<CrawledPage> {
    this.#frontier.close(url);
    const page = await this.#page(url);
    this.#failuresInARow = HURTING.has(page.reason) ? this.#failuresInARow + 1 : 0;
    if (page.status === 'read') {
      this.#read += 1;
      if (url === this.start) this.#home = page.url;
    }
    this.#settle(url, null);
    this.#settle(page.url, page.hash);
    for (const link of page.links) this.#frontier.add(link);
    return page;
  }

  async #page(requested: string): Promise<CrawledPage> {
    const loaded = await this.#load(requested);
    if ('skipped' in loaded) return toUnreadPage(loaded.url, 'skipped', loaded.skipped);
    const reading = readPageAnswer(loaded.answer);
    return 'reason' in reading
      ? toUnreadPage(loaded.url, reading.status, reading.reason)
      : this.#canonicalize(loaded.url, reading);
  }

  /** The content of a page, unless it duplicates another. */
  #canonicalize(url: string, reading: PageReading): CrawledPage {
    const base = normalizeUrl(reading.base ?? url, url) ?? url;
    const links = [...reading.links, ...(reading.refresh === null ? [] : [reading.refresh])]
      .map((link) => normalizeUrl(link, base))
      .filter((link): link is string => link !== null && isOfSite(this.#site, link));
    const canonical = reading.canonical === null ? null : normalizeUrl(reading.canonical, base);
    const isElsewhere =
      canonical !== null && isOfSite(this.#site, canonical) && getPageKey(canonical) !== getPageKey(url);
    const unique = [...new Set(links)];
    const skipped = (reason: PageReason) => ({ ...toUnreadPage(url, 'skipped', reason), links: unique });
    if (reading.text.length < MIN_TEXT_CHARACTERS) return skipped('no_text');
    if (this.#hashes.has(reading.hash) || (isElsewhere && this.#done.has(getPageKey(canonical))))
      return skipped('duplicate');
    const { title, description, text, hash } = reading;
    // The page declares its canonical URL.
    return {
      url: isElsewhere ? canonical : url,
      status: 'read',
      reason: null,
      title,
      description,
      text,
      hash,
      links: unique,
    };
  }

  /** Follows redirects within the site; each target is checked like the first URL. */
  async #load(requested: string): Promise<Loaded> {
    let url = requested;
    for (let followed = 0; ; followed += 1) {
      const rules = await this.requests.rulesFor(url);
      if (!rules.isAllowed(url)) return { url, skipped: rules.refusal };
      const answer = await this.requests.page(url);
      const location = answer.kind === 'answered' && isRedirect(answer.status) ? answer.headers['location'] : undefined;
      if (location === undefined) return { url, answer };
      if (followed === MAX_REDIRECTS || this.requests.isExhausted) {
        return { url: requested, answer: { kind: 'unanswered', reason: 'redirects' } };
      }
      const next = normalizeUrl(location, url);
      if (next === null || !this.#mayFollow(requested, next)) return { url: requested, skipped: 'left_site' };
      if (getPageKey(next) !== getPageKey(requested) && this.#done.has(getPageKey(next)))
        return { url: requested, skipped: 'duplicate' };
      url = next;
    }
  }

  /** Only the start page may move the site to another host of its domain. */
  #mayFollow(requested: string, next: string): boolean {
    if (isOfSite(this.#site, next)) return true;
    const redirected = requested === this.start && this.#done.size === 0 ? getRedirectedSite(this.#site, next) : null;
    if (redirected) this.#move(redirected);
    return redirected !== null;
  }

  #move(site: Site): void {
    if (site.host === this.#site.host) return;
    this.#site = site;
    this.#frontier = new CrawlFrontier(site);
  }

  #settle(url: string, hash: string | null): void {
    this.#done.add(getPageKey(url));
    if (hash !== null) this.#hashes.add(hash);
    this.#frontier.close(url);
  }
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}
