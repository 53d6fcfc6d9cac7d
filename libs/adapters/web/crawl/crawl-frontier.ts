import { getRank } from '../site/page-rank';
import { isWorthReading, normalizeUrl, getPageKey, getPageShape } from '../site/page-url';
import { isOfSite, type Site } from '../site/site-scope';

/** Maximum stored URLs; a larger site counts as endless. */
const MAX_KNOWN = 2_000;
/** Maximum pages that differ in numbers only: a calendar has endlessly many. */
const MAX_OF_SHAPE = 3;
/** Maximum pages of one folder, so that a blog does not displace pages about the company. */
const MAX_OF_FOLDER = 15;

interface Waiting {
  readonly url: string;
  readonly rank: number;
  readonly order: number;
}

/** The unread pages of a site in their order. Sends no requests. */
export class CrawlFrontier {
  readonly #known = new Set<string>();
  readonly #shapes = new Map<string, number>();
  readonly #folders = new Map<string, number>();
  #waiting: Waiting[] = [];
  #order = 0;

  constructor(readonly site: Site) {}

  /** Pages of the site that are known, read or not. */
  get found(): number {
    return this.#known.size;
  }

  /** Adds a link of a page, unless it leads to another site, is known or looks like a trap. */
  add(text: string, base?: string): void {
    const url = normalizeUrl(text, base);
    if (url === null || !isOfSite(this.site, url) || !isWorthReading(url) || this.#known.size >= MAX_KNOWN) return;
    const key = getPageKey(url);
    if (this.#known.has(key) || this.#isFull(url)) return;
    this.#known.add(key);
    this.#order += 1;
    this.#waiting.push({ url, rank: getRank(url), order: this.#order });
  }

  /** Closes a page, so that it is never read. @returns false when it was already closed */
  close(url: string): boolean {
    const key = getPageKey(url);
    const isNew = !this.#known.has(key);
    this.#known.add(key);
    const waiting = this.#waiting.length;
    this.#waiting = this.#waiting.filter((page) => getPageKey(page.url) !== key);
    return isNew || this.#waiting.length < waiting;
  }

  /** The most informative unread page. */
  next(): string | null {
    const best = this.#waiting.reduce<Waiting | null>(
      (first, page) => (first === null || isBefore(page, first) ? page : first),
      null,
    );
    if (best) this.#waiting.splice(this.#waiting.indexOf(best), 1);
    return best?.url ?? null;
  }

  #isFull(url: string): boolean {
    const shape = getPageShape(url);
    const folder = new URL(url).pathname.replace(/[^/]*\/?$/, '');
    const [shapes, folders] = [this.#shapes.get(shape) ?? 0, this.#folders.get(folder) ?? 0];
    // The root folder contains the important pages, so it has no limit.
    if (shapes >= MAX_OF_SHAPE || (folder !== '/' && folders >= MAX_OF_FOLDER)) return true;
    this.#shapes.set(shape, shapes + 1);
    this.#folders.set(folder, folders + 1);
    return false;
  }
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.order < b.order);
}
