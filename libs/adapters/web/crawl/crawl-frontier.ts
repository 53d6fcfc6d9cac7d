import { getRank } from '../site/page-rank';
import { isWorthReading, normalizeUrl, getPageKey, getPageShape } from '../site/page-url';
import { isOfSite, type Site } from '../site/site-scope';

/** Addresses that are remembered; a site with more is endless as far as we are concerned. */
const MAX_KNOWN = 2_000;
/** Pages that differ in numbers only: a calendar has one for each day until the end of time. */
const MAX_OF_SHAPE = 3;
/** Pages in one folder: a blog does not crowd out what the company does. */
const MAX_OF_FOLDER = 15;

interface Waiting {
  readonly url: string;
  readonly rank: number;
  readonly order: number;
}

/** Which pages of a site are still to be read, and in which order. Nothing is asked here. */
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

  /** A link, as it stands in a page. What leads elsewhere, is known, or looks like a trap is left out. */
  add(text: string, base?: string): void {
    const url = normalizeUrl(text, base);
    if (url === null || !isOfSite(this.site, url) || !isWorthReading(url) || this.#known.size >= MAX_KNOWN) return;
    const key = getPageKey(url);
    if (this.#known.has(key) || this.#isFull(url)) return;
    this.#known.add(key);
    this.#order += 1;
    this.#waiting.push({ url, rank: getRank(url), order: this.#order });
  }

  /** Never to be read again, however it was found. @returns false when that was so already */
  close(url: string): boolean {
    const key = getPageKey(url);
    const isNew = !this.#known.has(key);
    this.#known.add(key);
    const waiting = this.#waiting.length;
    this.#waiting = this.#waiting.filter((page) => getPageKey(page.url) !== key);
    return isNew || this.#waiting.length < waiting;
  }

  /** The most telling page that is still to be read. */
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
    // The root of a site is the folder of everything that matters.
    if (shapes >= MAX_OF_SHAPE || (folder !== '/' && folders >= MAX_OF_FOLDER)) return true;
    this.#shapes.set(shape, shapes + 1);
    this.#folders.set(folder, folders + 1);
    return false;
  }
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.order < b.order);
}
