import { type WebPagesPort } from '../port/web-pages.port';
import { normalizeUrl } from '../site/page-url';
import { CRAWL_LIMITS, type CrawlLimits } from './crawl-limits';
import { CrawlRun } from './crawl-run';
import { type CrawlTimer, SYSTEM_TIMER } from './crawl-timer';
import { type CrawledPage, type KnownPage } from './crawled-page';
import { SiteRequester } from './site-requester';

export interface Crawl {
  /** http(s) address at which the site begins. */
  readonly start: string;
  /** Pages that an earlier attempt has settled, in its order: they are not asked for again. */
  readonly known: readonly KnownPage[];
  /** Milliseconds that earlier attempts have taken. */
  readonly spentMs: number;
  /** Told of each page before the next one is asked for. What it throws ends the crawl. @param found pages that are known by now */
  readonly onPage: (page: CrawledPage, found: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Crawls a website politely (decision 24): one request at a time, with gaps, as its robots.txt allows (RFC 9309), the most informative
 * pages first, within limits of pages, requests, bytes and time. Separate files decide the order, the permission and the end.
 */
export class SiteCrawler {
  /** @param agent product token that robots.txt is searched for */
  constructor(
    private readonly pages: WebPagesPort,
    private readonly agent: string,
    private readonly limits: CrawlLimits = CRAWL_LIMITS,
    private readonly timer: CrawlTimer = SYSTEM_TIMER,
  ) {}

  /**
   * Ends when there is nothing left to read, or a bound is reached.
   * @throws the signal's reason, RangeError for a start that is no http(s) address, and what `onPage` throws
   */
  async crawl({ start, known, spentMs, onPage, signal }: Crawl): Promise<void> {
    const normal = normalizeUrl(start);
    if (normal === null) throw new RangeError('The start of a crawl must be an http(s) address');
    const endsAt = this.timer.now() + this.limits.crawlMs - spentMs;
    const requests = new SiteRequester(this.pages, this.timer, this.limits, this.agent, signal, known.length);
    const run = new CrawlRun(normal, requests, this.limits);
    run.resume(known);
    let hasLooked = false;
    while (!run.hasEnough && !requests.isExhausted && this.timer.now() < endsAt) {
      const page = await run.next();
      if (page === null && hasLooked) return;
      if (page) await onPage(page, run.found);
      if (hasLooked) continue;
      hasLooked = true;
      await run.fetchSitemaps();
    }
  }
}
