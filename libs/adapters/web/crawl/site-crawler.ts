import { type WebPagesPort } from '../port/web-pages.port';
import { normalizeUrl } from '../site/page-url';
import { CRAWL_LIMITS, type CrawlLimits } from './crawl-limits';
import { CrawlRun } from './crawl-run';
import { type CrawlTimer, SYSTEM_TIMER } from './crawl-timer';
import { type CrawledPage, type KnownPage } from './crawled-page';
import { SiteRequester } from './site-requester';

export interface Crawl {
  /** http(s) URL of the start page. */
  readonly start: string;
  /** Completed pages of an earlier attempt, in order: they are not requested again. */
  readonly known: readonly KnownPage[];
  /** Duration of earlier attempts in milliseconds. */
  readonly spentMs: number;
  /** Called with each page before the next request. Its error ends the crawl. @param found number of known pages */
  readonly onPage: (page: CrawledPage, found: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Crawls a website politely (decision 24): one request at a time, with gaps, as its robots.txt allows (RFC 9309), the most informative
 * pages first, within limits of pages, requests, bytes and time. Separate files decide the order, the permission and the end.
 */
export class SiteCrawler {
  /** @param agent product token for the rules of robots.txt */
  constructor(
    private readonly pages: WebPagesPort,
    private readonly agent: string,
    private readonly limits: CrawlLimits = CRAWL_LIMITS,
    private readonly timer: CrawlTimer = SYSTEM_TIMER,
  ) {}

  /**
   * Ends when no page is left or a limit is reached.
   * @throws the signal's reason, RangeError for a start that is no http(s) address, and what `onPage` throws
   */
  async crawl({ start, known, spentMs, onPage, signal }: Crawl): Promise<void> {
    const normal = normalizeUrl(start);
    if (normal === null) throw new RangeError('The start of a crawl must be an http(s) address');
    const endsAt = this.timer.now() + this.limits.crawlMs - spentMs;
    const requests = new SiteRequester(this.pages, this.timer, this.limits, this.agent, signal, known.length);
    const run = new CrawlRun(normal, requests, this.limits);
    run.resume(known);
    let hasSearched = false;
    while (!run.hasEnough && !requests.isExhausted && this.timer.now() < endsAt) {
      const page = await run.next();
      if (page === null && hasSearched) return;
      if (page) await onPage(page, run.found);
      if (hasSearched) continue;
      hasSearched = true;
      await run.fetchSitemaps();
    }
  }
}
