import { foldLine, getLanguages } from '@domain/inbox';
import { parseEmailAddress } from '@platform/validation';
import { parse } from 'tldts';

/** Maximum characters of a reply. */
export const MAX_CHARACTERS = 4_000;
/** Number of consecutive words of the system prompt that no reply may repeat. */
const COPIED_RUN_LENGTH = 8;
/** Minimum number of letters for detecting the language. */
const TELLING = 40;

/** The facts by which a reply is checked. */
export interface Allowance {
  /** Texts of the workspace: settings of the agent, sent emails of the thread. Links in them are allowed. */
  readonly own: readonly string[];
  /** Host names that may be linked, with their subdomains. */
  readonly hosts: readonly string[];
  /** Addresses of the participants of the thread. */
  readonly addresses: readonly string[];
  /** The system prompt. */
  readonly system: string;
  /** The answered message: the reply has to be in its language. */
  readonly answered: string;
}

const MARKUP = /<\/?[a-z!][^>]*>|\]\(|```|&(?:[a-z]{2,8}|#\d+);/i;
/** `[Name]`, `{{name}}`, `{name}`, `<name>`, `XXX`: unfilled placeholders. */
const PLACEHOLDER = /\[[^\]\n]{1,80}\]|\{[^}\n]{1,80}\}|\bX{3,}\b|_{4,}/;
const ADDRESS = /[^\s<>()[\]",;:]+@[^\s<>()[\]",;:]+/gu;
/** With or without a scheme, of a name or an IP address: mail programs turn all of them into links. */
const LINK =
  /\b[A-Za-z][A-Za-z\d+.-]*:\/\/[^\s<>"']+|(?<![\p{L}\p{N}@._-])(?:(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?:\/[^\s<>"']*)?/gu;
/** Full stops of other scripts, which browsers read as dots (UTS 46), between letters. */
const OTHER_STOPS = /(?<=[A-Za-z\d-])[\u3002\uff61](?=[A-Za-z])/g;
/** Followed directly by its target: “Tel: +41 …” and “the data: …” are plain text. */
const ACTIVE = /\b(?:javascript|data|vbscript|file|mailto|tel):(?=\S)/i;

/**
 * The first rule that a reply breaks, as the predicate of “it …”; null without one. The model has read a stranger's
 * mail: its text must not link, name or repeat anything that the workspace itself has not written.
 */
export function findBrokenRule(text: string, allowance: Allowance): string | null {
  if (text.trim() === '') return 'is empty';
  if (text.length > MAX_CHARACTERS) return `has more than ${MAX_CHARACTERS} characters`;
  if (!isPlain(text)) return 'contains control or invisible characters';
  if (MARKUP.test(text) || ACTIVE.test(text)) return 'contains markup';
  if (PLACEHOLDER.test(text)) return 'contains a placeholder';
  if (hasForeignAddress(text, allowance)) return 'names an email address from outside the conversation';
  if (hasForeignLink(text, allowance)) return 'contains a link that the workspace has not provided';
  if (isRepetition(text, allowance.system)) return 'repeats the instructions of the prompt';
  if (isInAnotherLanguage(text, allowance.answered)) return 'is in another language than the answered message';
  return null;
}

/** Control characters, direction marks and invisible characters, which could hide text. */
function isPlain(text: string): boolean {
  return !/[^\P{C}\n\r\t\u200c\u200d]/u.test(text) && text.isWellFormed();
}

function hasForeignAddress(text: string, { addresses, own, hosts }: Allowance): boolean {
  const known = new Set([...addresses, ...own.flatMap(addressesIn)].map(toComparable));
  const isKnown = (address: string) =>
    known.has(address) || hosts.some((host) => isWithin(address.slice(address.lastIndexOf('@') + 1), host));
  return !addressesIn(text).map(toComparable).every(isKnown);
}

function addressesIn(text: string): string[] {
  return [...readable(text).matchAll(ADDRESS)].map(([found]) => found.replace(/[.!?'’]+$/, ''));
}

function toComparable(address: string): string {
  const parsed = parseEmailAddress(address);
  return parsed.ok ? parsed.address : address.toLowerCase();
}

function hasForeignLink(text: string, { own, hosts }: Allowance): boolean {
  const ownUrls = new Set(own.flatMap((one) => listLinks(one).map(({ url }) => url)));
  return listLinks(text).some(({ url, host }) => !ownUrls.has(url) && !hosts.some((one) => isWithin(host, one)));
}

interface Link {
  /** The form for comparison: without scheme, final slash and punctuation of the sentence. */
  readonly url: string;
  readonly host: string;
}

function listLinks(text: string): Link[] {
  return [...readable(text).replace(ADDRESS, ' ').matchAll(LINK)].flatMap(([found]) => {
    const written = found.replace(/[.,;:!?)\]}'’»”]+$/u, '');
    const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(written);
    const { hostname, isIcann, isIp } = parse(written);
    // “e.g.”, “v1.2” and two sentences without a space are no links.
    if (!hasScheme && !(isIcann && hostname) && !isIp) return [];
    const url = written
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, '')
      .toLowerCase();
    return [{ url, host: hasScheme && !/^https?:/i.test(written) ? '' : (hostname ?? '') }];
  });
}

/** The form that browsers read: full-width letters become letters, invisible joiners disappear. */
function readable(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u200c\u200d]/g, '')
    .replace(OTHER_STOPS, '.');
}

function isWithin(host: string, site: string): boolean {
  return host !== '' && site !== '' && (host === site || host.endsWith(`.${site}`));
}

function isRepetition(text: string, system: string): boolean {
  const rows = new Set(listSequences(system));
  return listSequences(text).some((row) => rows.has(row));
}

/** All sequences of a number of consecutive words. */
function listSequences(text: string): string[] {
  const tokens = foldLine(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return tokens.slice(COPIED_RUN_LENGTH - 1).map((_token, at) => tokens.slice(at, at + COPIED_RUN_LENGTH).join(' '));
}

/** Compares only if both languages can be detected: a short text may be in any language. */
function isInAnotherLanguage(text: string, answered: string): boolean {
  const [one, other] = [foldLine(text), foldLine(answered)];
  if ([one, other].some((line) => (line.match(/\p{L}/gu)?.length ?? 0) < TELLING)) return false;
  const [written, theirs] = [getLanguages(one), getLanguages(other)];
  return written.length > 0 && theirs.length > 0 && !written.some((language) => theirs.includes(language));
}
