/** Limits of one crawl (docs/users/agents.md). */
export interface CrawlLimits {
  /** Maximum read pages. */
  readonly pages: number;
  /** Maximum requests, including robots.txt, sitemaps and redirects. */
  readonly requests: number;
  readonly pageBytes: number;
  /** Timeout of one page. */
  readonly pageMs: number;
  /** Timeout of the crawl. */
  readonly crawlMs: number;
  /** Gap between two requests, unless the site asks for more. */
  readonly gapMs: number;
  /** Maximum gap; also applied when a site asks for more. */
  readonly longestGapMs: number;
}

export const CRAWL_LIMITS: CrawlLimits = {
  pages: 50,
  requests: 150,
  pageBytes: 2 * 1024 * 1024,
  pageMs: 15_000,
  crawlMs: 600_000,
  gapMs: 1_000,
  longestGapMs: 30_000,
};
