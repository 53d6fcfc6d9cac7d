import { type PageAnswer, type WebPagesPort } from '../port/web-pages.port';
import { MAX_ROBOTS_BYTES, type RobotsRules, toRules } from '../robots/robots-rules';
import { getSitemap } from '../robots/sitemap';
import { type CrawlLimits } from './crawl-limits';
import { type CrawlTimer } from './crawl-timer';

const ROBOTS_REDIRECTS = 5;
const MAX_SITEMAP_BYTES = 1024 * 1024;
/** Maximum requested sitemaps of one crawl, including those of an index. */
const MAX_SITEMAPS = 4;
/** With and without encryption and `www.`. */
const MAX_ORIGINS = 4;

/** Requests of one crawl: one at a time, with a gap, after the robots.txt of each origin. */
export class SiteRequester {
  readonly #robots = new Map<string, RobotsRules>();
  #gapMs: number;
  #openAt = 0;
  #made: number;

  /** @param made number of requests of earlier attempts */
  constructor(
    private readonly pages: WebPagesPort,
    private readonly timer: CrawlTimer,
    private readonly limits: CrawlLimits,
    private readonly agent: string,
    private readonly signal: AbortSignal,
    made: number,
  ) {
    this.#gapMs = limits.gapMs;
    this.#made = made;
  }

  get isExhausted(): boolean {
    return this.#made >= this.limits.requests;
  }

  /** @throws the signal's reason */
  page(url: string): Promise<PageAnswer> {
    return this.#ask(url, this.limits.pageBytes);
  }

  /** Rules for a URL by the robots.txt of its origin, which is requested once. @throws the signal's reason */
  async rulesFor(url: string): Promise<RobotsRules> {
    const { origin } = new URL(url);
    const known = this.#robots.get(origin);
    if (known) return known;
    const robotsUrl = `${origin}/robots.txt`;
    const isOneTooMany = this.#robots.size >= MAX_ORIGINS;
    const answer: PageAnswer = isOneTooMany
      ? { kind: 'unanswered', reason: 'unreachable' }
      : await this.#ask(robotsUrl, MAX_ROBOTS_BYTES, ROBOTS_REDIRECTS);
    const rules = toRules(answer, robotsUrl, this.agent);
    if (rules.delayMs !== null) {
      this.#gapMs = Math.min(Math.max(this.#gapMs, rules.delayMs), this.limits.longestGapMs);
      this.#openAt = this.timer.now() + this.#gapMs;
    }
    this.#robots.set(origin, rules);
    return rules;
  }

  /** URLs in the sitemaps of an origin. @throws the signal's reason */
  async sitemapPages(url: string): Promise<string[]> {
    const { origin } = new URL(url);
    const { sitemaps } = await this.rulesFor(url);
    const waiting = sitemaps.length > 0 ? [...sitemaps] : [`${origin}/sitemap.xml`];
    const pages: string[] = [];
    for (let count = 0; count < MAX_SITEMAPS; count += 1) {
      const next = waiting.shift();
      if (next === undefined || this.isExhausted) break;
      // A robots.txt may contain any URL; only those of the site are requested.
      if (URL.parse(next)?.origin !== origin || !(await this.rulesFor(next)).isAllowed(next)) continue;
      const answer = await this.#ask(next, MAX_SITEMAP_BYTES);
      if (answer.kind !== 'answered' || answer.status !== 200) continue;
      const found = getSitemap(answer.body.toString('utf8'));
      pages.push(...found.pages);
      waiting.push(...found.sitemaps);
    }
    return pages;
  }

  async #ask(url: string, maxBytes: number, followRedirects = 0): Promise<PageAnswer> {
    this.signal.throwIfAborted();
    const wait = this.#openAt - this.timer.now();
    if (wait > 0) await this.timer.wait(wait, this.signal);
    this.#made += 1;
    const question = { url, maxBytes, timeoutMs: this.limits.pageMs, followRedirects, signal: this.signal };
    const answer = await this.pages.fetch(question);
    if (answer.kind === 'answered' && (answer.status === 429 || answer.status === 503)) {
      this.#gapMs = Math.min(this.#gapMs * 2, this.limits.longestGapMs);
    }
    this.#openAt = this.timer.now() + this.#gapMs;
    return answer;
  }
}
