import { createHash } from 'node:crypto';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { toBoundedHtml } from './html-bounds';
import { type PageElement, removeHidden } from './hidden-elements';

/** Maximum characters of a page's text: four times those of a long page. */
const MAX_TEXT_CHARACTERS = 40_000;
const MAX_TITLE_CHARACTERS = 200;
const MAX_DESCRIPTION_CHARACTERS = 500;
const MAX_LINKS = 300;
/** Minimum share of the text in the main part; below it all text is used. */
const MAIN_SHARE = 0.4;
/** Minimum text: less is an empty frame that a script fills. */
export const MIN_TEXT_CHARACTERS = 40;

/** Elements around the text of a page. */
const FRAME = 'nav,header,footer,aside,form,button,[role=navigation],[role=banner],[role=contentinfo],[role=search]';
/** Block elements, which end a line. */
const BLOCKS =
  'p,div,section,article,main,li,h1,h2,h3,h4,h5,h6,tr,td,th,dt,dd,blockquote,pre,figcaption,summary,details,ul,ol,table';

/** The content and links of a page. */
export interface PageReading {
  readonly title: string | null;
  readonly description: string | null;
  /** One line per paragraph; limited in length. */
  readonly text: string;
  /** Equal for pages that differ in digits and blanks only. */
  readonly hash: string;
  /** As written, relative to `base`. Empty when the page forbids following them. */
  readonly links: readonly string[];
  readonly base: string | null;
  readonly canonical: string | null;
  /** Target of an automatic redirect (meta refresh). */
  readonly refresh: string | null;
  /** Whether the page forbids indexing (`noindex`). */
  readonly isNoindex: boolean;
}

export type ReadingFailure = 'too_complex' | 'no_text';

interface PageDocument extends PageElement {
  querySelector(selector: string): PageElement | null;
  readonly documentElement: PageElement | null;
}

/**
 * Reads the visible main text of an HTML page. Never throws: a page that cannot be parsed in reasonable time is `too_complex`, and one
 * without text is `no_text`.
 */
export function readPage(html: string): PageReading | ReadingFailure {
  const bounded = toBoundedHtml(html);
  if (bounded === null) return 'too_complex';
  try {
    return reading(bounded);
  } catch {
    // Parsers of untrusted HTML can throw any error (recursion depth, unexpected markup).
    return 'too_complex';
  }
}

/** Plain text, unchanged. */
export function readText(text: string): PageReading | ReadingFailure {
  const lines = tidyText(text);
  if (lines.length < MIN_TEXT_CHARACTERS) return 'no_text';
  const nothing = { title: null, description: null, links: [], base: null, canonical: null, refresh: null };
  return { ...nothing, text: lines, hash: getHash(lines), isNoindex: false };
}

function reading(html: string): PageReading | ReadingFailure {
  const document = parseHtml(html);
  const robots = meta(document, 'robots')?.toLowerCase() ?? '';
  const facts = {
    title: short(document.querySelector('title')?.textContent, MAX_TITLE_CHARACTERS),
    description: short(meta(document, 'description') ?? meta(document, 'og:description'), MAX_DESCRIPTION_CHARACTERS),
    links: /\b(nofollow|none)\b/.test(robots) ? [] : listLinks(document),
    base: document.querySelector('base[href]')?.getAttribute('href') ?? null,
    canonical: document.querySelector('link[rel=canonical][href]')?.getAttribute('href') ?? null,
    refresh: getRefreshTarget(document),
    isNoindex: /\b(noindex|none)\b/.test(robots),
  };
  removeHidden(document);
  const text = toPageText(document);
  const leadsOn = facts.links.length > 0 || facts.refresh !== null || facts.canonical !== null;
  if (text.length < MIN_TEXT_CHARACTERS && !leadsOn) return 'no_text';
  return { ...facts, text, hash: getHash(text) };
}

function parseHtml(html: string): PageDocument {
  const whole = /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  return parseHTML(whole).document;
}

/** The main part if there is one; on pages with many small parts, such as start pages, everything except the frame. */
function toPageText(document: PageDocument): string {
  for (const block of document.querySelectorAll(BLOCKS)) block.append('\n');
  for (const rule of document.querySelectorAll('br,hr')) rule.after('\n');
  for (const frame of document.querySelectorAll(FRAME)) frame.remove();
  const all = tidyText(document.querySelector('body')?.textContent ?? document.documentElement?.textContent ?? '');
  const main = tidyText(findMain(document));
  return main.length >= all.length * MAIN_SHARE ? main : all;
}

/** Parses the document. */
function findMain(document: PageDocument): string {
  const article = new Readability(document, { maxElemsToParse: 0, disableJSONLD: true, charThreshold: 200 });
  return article.parse()?.textContent ?? '';
}

function listLinks(document: PageDocument): string[] {
  const links: string[] = [];
  for (const link of document.querySelectorAll('a[href]')) {
    if (links.length >= MAX_LINKS) break;
    const href = link.getAttribute('href')?.trim() ?? '';
    const isFollowed = !/\bnofollow\b/i.test(link.getAttribute('rel') ?? '');
    if (href !== '' && isFollowed && !href.startsWith('#')) links.push(href);
  }
  return links;
}

function getRefreshTarget(document: PageDocument): string | null {
  for (const element of document.querySelectorAll('meta[http-equiv]')) {
    if (element.getAttribute('http-equiv')?.toLowerCase() !== 'refresh') continue;
    const target = /^\s*\d*(?:\.\d*)?\s*[;,]\s*url\s*=\s*["']?([^"']{1,2000})/i.exec(
      element.getAttribute('content') ?? '',
    );
    if (target?.[1]) return target[1].trim();
  }
  return null;
}

function meta(document: PageDocument, name: string): string | null {
  for (const element of document.querySelectorAll('meta[content]')) {
    const said = element.getAttribute('name') ?? element.getAttribute('property');
    if (said?.toLowerCase() === name) return element.getAttribute('content');
  }
  return null;
}

function short(text: string | null | undefined, most: number): string | null {
  const line = tidyText(text ?? '').replaceAll('\n', ' ');
  return line === '' ? null : line.slice(0, most).toWellFormed();
}

/** One line per paragraph, without control and invisible characters. */
function tidyText(text: string): string {
  return text
    .slice(0, 4 * MAX_TEXT_CHARACTERS)
    .replace(/[\p{Cf}\p{Co}]/gu, '')
    .split('\n')
    .map((line) => line.replace(/[\p{Cc}\s]+/gu, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, MAX_TEXT_CHARACTERS)
    .toWellFormed();
}

function getHash(text: string): string {
  const normalized = text
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
  return createHash('sha256').update(normalized).digest('hex').slice(0, 32);
}
