export const PAGE_STATUSES = ['read', 'skipped', 'failed'] as const;
export type PageStatus = (typeof PAGE_STATUSES)[number];

/**
 * Why the text of a page was not taken. `robots`: robots.txt forbids the page. `robots_unavailable`: robots.txt cannot be read, which
 * counts as forbidden. `noindex`: the page forbids indexing. `left_site`: it redirects to another site. `duplicate`: the same as a page
 * that was read. `too_large`, `too_complex`: above the limits of the reader. `not_text`, `encoded`: not a text page, or compressed without
 * a request for it. `no_text`: empty, or filled by a script. `not_found`, `forbidden`, `busy`, `server_error`, `odd_answer`: the server's
 * answer. The others: why the server did not answer.
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

/** The outcome of one address. */
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
