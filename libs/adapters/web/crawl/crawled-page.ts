export const PAGE_STATUSES = ['read', 'skipped', 'failed'] as const;
export type PageStatus = (typeof PAGE_STATUSES)[number];

/**
 * Why the text of a page was not taken. `robots`: the site asks robots to keep off. `robots_unavailable`: its robots.txt cannot be had,
 * which means the same. `noindex`: the page asks machines to leave it alone. `left_site`: it leads to another site. `duplicate`: the
 * same as a page that was read. `too_large`, `too_complex`: not to be read in reasonable bounds. `not_text`, `encoded`: no text of a
 * page, or compressed although nobody asked. `no_text`: nothing, or a frame that a script fills. `not_found`, `forbidden`, `busy`,
 * `server_error`, `odd_answer`: what the server said. The others: why it said nothing.
 */
export const PAGE_REASONS = [
  'robots',
  'robots_unavailable',
  'noindex',
  'left_site',
  'duplicate',
  'too_large',
  'too_complex',
  'not_text',
  'encoded',
  'no_text',
  'not_found',
  'forbidden',
  'busy',
  'server_error',
  'odd_answer',
  'address_refused',
  'dns',
  'timeout',
  'redirects',
  'unreachable',
] as const;
export type PageReason = (typeof PAGE_REASONS)[number];

/** What became of one address. */
export interface CrawledPage {
  /** Where it was read, after redirects; where it was looked for otherwise. */
  readonly url: string;
  readonly status: PageStatus;
  /** null when it was read. */
  readonly reason: PageReason | null;
  readonly title: string | null;
  readonly description: string | null;
  /** Empty unless it was read. */
  readonly text: string;
  /** The same for pages of the same text; null unless it was read. */
  readonly hash: string | null;
  /** Where it leads within the site, normal. */
  readonly links: readonly string[];
}

/** What of a page is needed to go on with a crawl behind it. */
export type KnownPage = Pick<CrawledPage, 'url' | 'status' | 'hash' | 'links'>;

export function toUnreadPage(url: string, status: 'skipped' | 'failed', reason: PageReason): CrawledPage {
  return { url, status, reason, title: null, description: null, text: '', hash: null, links: [] };
}
