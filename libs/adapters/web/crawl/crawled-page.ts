export const PAGE_STATUSES = ['read', 'skipped', 'failed'] as const;
export type PageStatus = (typeof PAGE_STATUSES)[number];

/**
 * Why the text of a page was not used. `robots`: robots.txt forbids the page. `robots_unavailable`: robots.txt cannot be read, which counts
 * as forbidden. `noindex`: the page forbids indexing. `left_site`: it redirects to another site. `duplicate`: the same as a page that was
 * read. `too_large`, `too_complex`: above the limits of the reader. `not_text`, `encoded`: not a text page, or compressed without a request
 * for it. `no_text`: empty, or filled by a script. `not_found`, `forbidden`, `busy`, `server_error`, `odd_answer`: the server's answer. The
 * others: why the server did not answer.
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
  /** The URL after redirects if it was read; otherwise the requested one. */
  readonly url: string;
  readonly status: PageStatus;
  /** null when it was read. */
  readonly reason: PageReason | null;
  readonly title: string | null;
  readonly description: string | null;
  /** Empty unless it was read. */
  readonly text: string;
  /** Equal for pages with the same text; null unless it was read. */
  readonly hash: string | null;
  /** Its normalised links within the site. */
  readonly links: readonly string[];
}

/** The data of a page that a continued crawl needs. */
export type KnownPage = Pick<CrawledPage, 'url' | 'status' | 'hash' | 'links'>;

export function toUnreadPage(url: string, status: 'skipped' | 'failed', reason: PageReason): CrawledPage {
  return { url, status, reason, title: null, description: null, text: '', hash: null, links: [] };
}
