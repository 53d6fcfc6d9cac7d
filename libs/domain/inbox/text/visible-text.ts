import { findAttribution } from './attribution';
import { isBanner, isDisclaimer, isSentFrom } from './closings';
import { parseHtmlLines } from './html-lines';
import { isBlank, type Line, parseTextLines } from './line';
import { findHeaderBlockEnd, parseField } from './mail-fields';
import { isDrawnLine, findSeparator } from './separators';
import { splitSignature } from './signature';

export interface MailBody {
  /** The plain-text part. */
  readonly text?: string | null;
  readonly html?: string | null;
}

export interface VisibleText {
  /** The author's new text. Lines end in LF; empty only when there is none. */
  readonly text: string;
  /** Whether the mail quotes another one. */
  readonly quoted: boolean;
  readonly signature: string | null;
}

/** The visible text with the evidence that label rules need: the quoted mail may contain the same phrases. */
export interface Answer extends VisibleText {
  /** The part of the text that is certainly the author's; set only when another part may be quoted. */
  readonly certainText?: string;
  /** The text above the first quote; set only when it is longer than `text`, so that a rule may have cut too much. */
  readonly textAboveQuote?: string;
}

/** The lines of a mail by kind. */
interface SortedLines {
  readonly own: readonly string[][];
  readonly signature: readonly string[];
  readonly quoted: boolean;
  /** Whether a phrase that only clients write begins the history. */
  readonly certain: boolean;
  /** Index in `own` of the part between an attribution and the first quoted line: the reply, or unmarked history. */
  readonly doubted: number | null;
  /** Lines above the first quote. */
  readonly above: readonly string[];
}

/**
 * Returns the author's new text: without quoted history, attributions, copied headers, signatures and disclaimers, but with
 * replies below and between quotes. When nothing would remain, nothing is removed. HTML decides when its markup shows the
 * quote, otherwise the text part. Reads the first million characters. Never throws; linear in the length.
 */
export function getVisibleText(body: MailBody): VisibleText {
  const { text, quoted, signature } = readMailAnswer(body);
  return { text, quoted, signature };
}

/** As `getVisibleText`, with the evidence for label rules. */
export function readMailAnswer({ text, html }: MailBody): Answer {
  const fromHtml = html ? parseHtmlLines(html) : [];
  const marked = fromHtml.some((line) => line.kind !== 'own' || line.cut || line.rule);
  const lines =
    fromHtml.some((line) => !isBlank(line)) && (marked || !text?.trim()) ? fromHtml : parseTextLines(text ?? '');
  return readLines(lines) ?? readLines(lines.map(toOwnLine)) ?? readWhole(lines);
}

/** Returns null when nothing remains although no phrase of a client proves that it is history. */
function readLines(lines: readonly Line[]): Answer | null {
  const sorted = sortLines(lines);
  const { body, signature } = removeSignature(sorted.own, sorted.signature);
  const visible = joinLines(body);
  if (visible !== '') return { text: visible, quoted: sorted.quoted, signature, ...getEvidence(sorted, visible) };
  // Text in a presumed signature is better than none.
  const signed = joinLines(sorted.signature.filter((line) => !isSentFrom(line)));
  if (signed !== '') return { text: signed, quoted: sorted.quoted, signature: null };
  return sorted.quoted && sorted.certain ? readUncut(lines, sorted, signature) : null;
}

/** Keeps all but marked quotes of a mail that begins with history: the reply may be within it. Empty for a pure quote. */
function readUncut(all: readonly Line[], sorted: SortedLines, signature: string | null): Answer {
  const lines = removeBanner(all);
  const own: string[] = [];
  let hasText = false;
  // Lines up to here announce history and are not the author's.
  let historyFrom = 0;
  for (const [at, { text, kind }] of lines.entries()) {
    if (kind !== 'own') continue;
    own.push(text);
    if (at >= historyFrom) historyFrom = findHistory(lines, at)?.end ?? at;
    hasText ||= at >= historyFrom && text.trim() !== '' && !isSentFrom(text);
  }
  const content = hasText ? { text: joinLines(own), certainText: '' } : { text: '' };
  return { ...content, quoted: true, signature, ...getTextAboveQuote(sorted, '') };
}

function getEvidence(sorted: SortedLines, visible: string): Pick<Answer, 'certainText' | 'textAboveQuote'> {
  const { own, doubted } = sorted;
  const isDoubted = doubted !== null && own[doubted]?.some((line) => line.trim() !== '') === true;
  const certain = own.filter((_, at) => at !== doubted);
  return {
    ...(isDoubted && { certainText: joinLines(removeSignature(certain, []).body) }),
    ...getTextAboveQuote(sorted, visible),
  };
}

const FOOTER = /https?:\/\/|www\.|\[link removed\]|newsletter/i;

/** Excludes standard footers: a company's footer may offer to unsubscribe, too. */
function getTextAboveQuote({ above }: SortedLines, visible: string): Pick<Answer, 'textAboveQuote'> {
  const end = above.findIndex((line) => /^--\s?$/.test(line) || isDisclaimer(line));
  const lines = (end < 0 ? above : above.slice(0, end)).filter((line) => !isSentFrom(line) && !FOOTER.test(line));
  const text = joinLines(lines);
  return text.length > visible.length ? { textAboveQuote: text } : {};
}

/** Treats a quoted line without attribution as the author's: it is indented, or the whole mail is in a quote. */
function toOwnLine({ text, kind }: Line): Line {
  return { text: kind === 'quote' ? text.replace(/^\s{0,3}>+ ?/, '') : text, kind: 'own' };
}

function readWhole(lines: readonly Line[]): VisibleText {
  return { text: joinLines(lines.map((line) => line.text)), quoted: false, signature: null };
}

function sortLines(all: readonly Line[]): SortedLines {
  const lines = removeBanner(all);
  const own: string[][] = [[]];
  const signature: string[] = [];
  const above: string[] = [];
  let [quoted, certain, hasText] = [false, false, false];
  let doubted: number | null = null;
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    if (line === undefined) break;
    const history = findHistory(lines, at);
    if (history !== null) {
      if (!quoted && history.mayBeOwn) above.push(...lines.slice(at, history.end).map(removeAddresses));
      quoted = true;
      certain = true;
      if (history.before) {
        own.at(-1)?.push(history.before);
        hasText = true;
      }
      // Without text of the author above, the reply may be below the quote.
      const below = hasText || line.cut || line.rule ? null : findReplyBelow(lines, history);
      if (history.toTheEnd && below === null) break;
      at = below ?? history.end;
      own.push([]);
      if (history.isAttribution && history.toTheEnd) doubted = own.length - 1;
      continue;
    }
    if (line.kind === 'quote') {
      quoted = true;
      if (own.at(-1)?.length !== 0) own.push([]);
    } else if (line.kind === 'signature') signature.push(line.text);
    else {
      own.at(-1)?.push(line.text);
      if (!quoted) above.push(line.text);
      hasText ||= !isBlank(line);
    }
    at += 1;
  }
  return { own, signature, quoted, certain, doubted, above };
}

/** An address such as `stop@…` says nothing about the author's intent. */
function removeAddresses({ text }: Line): string {
  return text.replace(/<[^<>]{0,200}>|\S{1,100}@\S{1,100}/g, ' ');
}

interface History {
  /** The line after the announcement. */
  readonly end: number;
  /** All lines below are history, not only those marked as quoted. */
  readonly toTheEnd: boolean;
  /** An attribution such as "On Monday Jane wrote:", and no header or separator. */
  readonly isAttribution?: true;
  /** The announcement may be a sentence of the author. */
  readonly mayBeOwn?: boolean;
  /** Text of the author on the same line. */
  readonly before?: string;
}

/** Returns the history that a client announces at this line, or null. */
function findHistory(lines: readonly Line[], at: number): History | null {
  const line = lines[at];
  if (line === undefined || line.kind !== 'own') return null;
  if (line.cut) return { end: at + 1, toTheEnd: true };
  if (line.rule && parseField(lines[skipBlank(lines, at)]?.text ?? '') !== null) return { end: at + 1, toTheEnd: true };
  if (isBlank(line)) return null;
  if (findSeparator(line.text) !== null) return { end: at + 1, toTheEnd: !isQuoteNext(lines, at + 1) };
  const block = findHeaderBlockEnd(lines, isDrawnLine(line.text) ? skipBlank(lines, at + 1) : at);
  if (block !== null) return { end: block, toTheEnd: !isQuoteNext(lines, block) };
  const attribution = findAttribution(lines, at);
  if (attribution === null) return null;
  const quote = isQuoteNext(lines, attribution.end);
  if (!quote && !attribution.strong) return null;
  const { end, doubtful, before } = attribution;
  return { end, toTheEnd: !quote, isAttribution: true, mayBeOwn: doubtful, before };
}

/** Returns the first line from `at` on that is not blank. */
function skipBlank(lines: readonly Line[], at: number): number {
  let next = at;
  while (next < lines.length && next < at + 20 && isBlank(lines[next])) next += 1;
  return next;
}

function isQuoteNext(lines: readonly Line[], at: number): boolean {
  return lines[skipBlank(lines, at)]?.kind === 'quote';
}

/**
 * Returns where the author's text begins below marked quotes; null without marked quotes. A client that writes an attribution
 * also marks what it quotes, so the lines between both may be the reply.
 */
function findReplyBelow(lines: readonly Line[], { end, isAttribution }: History): number | null {
  const quote = lines.findIndex((line, at) => at >= end && line.kind === 'quote');
  if (quote < 0) return null;
  if (isAttribution) return end;
  const reply = lines.findIndex((line, at) => at > quote && line.kind === 'own' && !isBlank(line));
  return reply < 0 ? null : reply;
}

/** Removes the warning that a gateway puts above external mail. */
function removeBanner(lines: readonly Line[]): readonly Line[] {
  const first = skipBlank(lines, 0);
  if (!isBanner(lines[first]?.text ?? '')) return lines;
  const end = lines.findIndex((line, at) => at > first && isBlank(line));
  return end < 0 ? lines : lines.slice(end);
}

/** Looks for the signature at the end of the text above the history and at the end of the last part. */
function removeSignature(
  own: readonly (readonly string[])[],
  signature: readonly string[],
): { body: string[]; signature: string | null } {
  const parts = own.filter((part) => part.some((line) => line.trim() !== ''));
  const found: string[] = [...signature];
  const body = parts.flatMap((part, index) => {
    const isInside = index > 0 && index < parts.length - 1;
    const signed = isInside ? { body: part, signature: null } : splitSignature(trimLines(part));
    found.push(...(signed.signature ?? []));
    // A "Sent from my …" line may stand above a reply below the quote.
    return [...signed.body.filter((line, at) => at === 0 || !isSentFrom(line)), ''];
  });
  const text = joinLines(found);
  return { body, signature: text === '' ? null : text };
}

function trimLines(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
}

function joinLines(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/\n[ \t\n]*\n/g, '\n\n')
    .trim()
    .toWellFormed();
}
