import { foldedLine, getLanguages } from '@domain/inbox';
import { parseEmailAddress } from '@platform/validation';
import { parse } from 'tldts';

/** Characters of a reply; a mail that one reads at once. */
export const MOST_CHARACTERS = 4_000;
/** Words of our instructions that no reply has in a row. */
const COPIED_RUN_LENGTH = 8;
/** Letters from which on it can be told which language a mail is in. */
const TELLING = 40;

/** What a reply may refer to. */
export interface Allowance {
  /** Words of the workspace: settings of the agent, what was sent in the thread. Links in them may be used. */
  readonly own: readonly string[];
  /** Host names that may be linked, with their subdomains. */
  readonly hosts: readonly string[];
  /** Whoever takes part in the thread. */
  readonly addresses: readonly string[];
  /** Our instructions to the model. */
  readonly system: string;
  /** What is answered: the reply is in its language. */
  readonly answered: string;
}

const MARKUP = /<\/?[a-z!][^>]*>|\]\(|```|&(?:[a-z]{2,8}|#\d+);/i;
/** `[Name]`, `{{name}}`, `{name}`, `<name>`, `XXX`: what somebody should have filled in. */
const PLACEHOLDER = /\[[^\]\n]{1,80}\]|\{[^}\n]{1,80}\}|\bX{3,}\b|_{4,}/;
const ADDRESS = /[^\s<>()[\]",;:]+@[^\s<>()[\]",;:]+/gu;
/** With a scheme or without, of a name or of a machine: mail programs make links of all of them. */
const LINK =
  /\b[A-Za-z][A-Za-z\d+.-]*:\/\/[^\s<>"']+|(?<![\p{L}\p{N}@._-])(?:(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?:\/[^\s<>"']*)?/gu;
/** Stops of other scripts, which browsers take for dots (UTS 46), between letters that have a dot. */
const OTHER_STOPS = /(?<=[A-Za-z\d-])[\u3002\uff61](?=[A-Za-z])/g;
/** With what they name right behind: “Tel: +41 …” and “the data: …” are words. */
const ACTIVE = /\b(?:javascript|data|vbscript|file|mailto|tel):(?=\S)/i;

/**
 * The first rule that a reply breaks, to be read after “it …”; null when it breaks none. It was written by a machine that has read
 * a stranger's mail: nothing in it may lead anywhere, name anybody or repeat anything that the workspace has not said itself.
 */
export function findBrokenRule(text: string, allowance: Allowance): string | null {
  if (text.trim() === '') return 'is empty';
  if (text.length > MOST_CHARACTERS) return `has more than ${MOST_CHARACTERS} characters`;
  if (!isPlain(text)) return 'holds characters that no letter has';
  if (MARKUP.test(text) || ACTIVE.test(text)) return 'holds markup';
  if (PLACEHOLDER.test(text)) return 'holds a placeholder';
  if (hasForeignAddress(text, allowance)) return 'names an e-mail address that is not of this conversation';
  if (hasForeignLink(text, allowance)) return 'holds a link that the workspace has not given';
  if (repeats(text, allowance.system)) return 'repeats the instructions to the model';
  if (isInAnotherLanguage(text, allowance.answered)) return 'is in another language than the answer';
  return null;
}

/** No control, no direction marks and nothing invisible that could hide what is said. */
function isPlain(text: string): boolean {
  return !/[^\P{C}\n\r\t\u200c\u200d]/u.test(text) && text.isWellFormed();
}

function hasForeignAddress(text: string, { addresses, own, hosts }: Allowance): boolean {
  const known = new Set([...addresses, ...own.flatMap(addressesIn)].map(normal));
  const isKnown = (address: string) =>
    known.has(address) || hosts.some((host) => isWithin(address.slice(address.lastIndexOf('@') + 1), host));
  return !addressesIn(text).map(normal).every(isKnown);
}

function addressesIn(text: string): string[] {
  return [...readable(text).matchAll(ADDRESS)].map(([found]) => found.replace(/[.!?'’]+$/, ''));
}

function normal(address: string): string {
  const parsed = parseEmailAddress(address);
  return parsed.ok ? parsed.address : address.toLowerCase();
}

function hasForeignLink(text: string, { own, hosts }: Allowance): boolean {
  const given = new Set(own.flatMap((one) => linksIn(one).map(({ url }) => url)));
  return linksIn(text).some(({ url, host }) => !given.has(url) && !hosts.some((one) => isWithin(host, one)));
}

interface Link {
  /** As it is compared: without its scheme's case, a last slash and what ends the sentence. */
  readonly url: string;
  readonly host: string;
}

function linksIn(text: string): Link[] {
  return [...readable(text).replace(ADDRESS, ' ').matchAll(LINK)].flatMap(([found]) => {
    const written = found.replace(/[.,;:!?)\]}'’»”]+$/u, '');
    const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(written);
    const { hostname, isIcann, isIp } = parse(written);
    // “e.g.”, “v1.2” and two sentences without a blank are no links.
    if (!hasScheme && !(isIcann && hostname) && !isIp) return [];
    const url = written
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, '')
      .toLowerCase();
    return [{ url, host: hasScheme && !/^https?:/i.test(written) ? '' : (hostname ?? '') }];
  });
}

/** As browsers read it: wide letters are letters, and what joins them invisibly is not there. */
function readable(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u200c\u200d]/g, '')
    .replace(OTHER_STOPS, '.');
}

function isWithin(host: string, site: string): boolean {
  return host !== '' && site !== '' && (host === site || host.endsWith(`.${site}`));
}

function repeats(text: string, system: string): boolean {
  const rows = new Set(inRows(system));
  return inRows(text).some((row) => rows.has(row));
}

/** Every so many words in a row. */
function inRows(text: string): string[] {
  const words = foldedLine(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(COPIED_RUN_LENGTH - 1).map((_word, at) => words.slice(at, at + COPIED_RUN_LENGTH).join(' '));
}

/** Only where both can be told: what is short may be anything. */
function isInAnotherLanguage(text: string, answered: string): boolean {
  const [one, other] = [foldedLine(text), foldedLine(answered)];
  if ([one, other].some((given) => (given.match(/\p{L}/gu)?.length ?? 0) < TELLING)) return false;
  const [written, theirs] = [getLanguages(one), getLanguages(other)];
  return written.length > 0 && theirs.length > 0 && !written.some((language) => theirs.includes(language));
}
