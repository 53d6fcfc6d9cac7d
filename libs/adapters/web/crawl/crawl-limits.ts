/** What one crawl may cost the site, and us (docs/users/agents.md). */
export interface CrawlLimits {
  /** Pages that are read. */
  readonly pages: number;
  /** Requests in all: robots.txt, sitemaps and redirects included. */
  readonly requests: number;
  readonly pageBytes: number;
  /** For one page with its last byte. */
  readonly pageMs: number;
  /** For all of it. */
  readonly crawlMs: number;
  /** Between two requests, where the site asks for no more. */
  readonly gapMs: number;
  /** The longest gap that a site is granted; one that asks for more gets this. */
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
