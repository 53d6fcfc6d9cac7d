import { type ChatMessage, type ChatPart, type ChatRun } from '../port/chat-message';

/** Limits of Block Kit (https://docs.slack.dev/reference/block-kit/blocks), in characters of the escaped text. */
export const MAX_SECTION = 3_000;
export const MAX_HEADER = 150;
export const MAX_BLOCKS = 50;
/** Length of the fallback text that Slack does not truncate (https://docs.slack.dev/reference/methods/chat.postMessage). */
export const MAX_FALLBACK = 4_000;

const ELLIPSIS = '…';
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Characters that change the text direction. */
const DIRECTION_CHARACTERS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** White space and line separators; JavaScript does not count NEL as white space. */
const BLANKS = /[\s\u0085]+/gu;

interface Mrkdwn {
  readonly type: 'mrkdwn';
  readonly text: string;
  /** Slack creates no links, channels or mentions from plain text. */
  readonly verbatim: true;
}

export type SlackBlock =
  | {
      readonly type: 'header';
      readonly text: { readonly type: 'plain_text'; readonly text: string; readonly emoji: false };
    }
  | { readonly type: 'section'; readonly text: Mrkdwn }
  | { readonly type: 'context'; readonly elements: readonly Mrkdwn[] };

/** A message for the Web API and incoming webhooks. */
export interface SlackPayload {
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
  readonly unfurl_links: false;
  readonly unfurl_media: false;
}

/** Converts a message. Long text is truncated with an ellipsis; parts beyond the fiftieth are dropped. */
export function toPayload({ summary, parts }: ChatMessage): SlackPayload {
  return {
    text: escapeText(toOneLine(summary), MAX_FALLBACK) || ELLIPSIS,
    blocks: parts.flatMap(toBlocks).slice(0, MAX_BLOCKS),
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** An empty part gives no block, because Slack refuses blocks without text. */
function toBlocks(part: ChatPart): SlackBlock[] {
  if (part.kind === 'heading') {
    // Plain text has no markup to escape.
    const text = clipText(toOneLine(part.text), MAX_HEADER, (character) => character);
    return text === '' ? [] : [{ type: 'header', text: { type: 'plain_text', text, emoji: false } }];
  }
  const text = part.kind === 'quote' ? formatQuote(part.text) : formatRuns(part.runs);
  if (text.trim() === '') return [];
  const mrkdwn: Mrkdwn = { type: 'mrkdwn', text, verbatim: true };
  return [part.kind === 'note' ? { type: 'context', elements: [mrkdwn] } : { type: 'section', text: mrkdwn }];
}

function formatRuns(runs: readonly ChatRun[]): string {
  let text = '';
  for (const run of runs) text += formatRun(run, MAX_SECTION - text.length);
  return text;
}

function formatRun(run: ChatRun, room: number): string {
  // Text of other people must not start a line of its own; only quotes have line breaks.
  if (typeof run === 'string') return escapeText(run.replaceAll(BLANKS, ' '), room);
  if ('bold' in run) {
    const inner = escapeText(toOneLine(run.bold).replaceAll('*', '∗'), room - 2);
    return inner === '' ? '' : `*${inner}*`;
  }
  const url = run.link.replace(/[<>|\s]/g, encodeURIComponent).replaceAll('&', '&amp;');
  const inner = escapeText(toOneLine(run.text), room - url.length - 3);
  return inner === '' ? '' : `<${url}|${inner}>`;
}

function formatQuote(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  let block = '';
  for (const line of lines) {
    const start = block === '' ? '>' : '\n>';
    const inner = escapeText(line, MAX_SECTION - block.length - start.length);
    if (inner === '') break;
    block += start + inner;
  }
  return block;
}

/**
 * Escapes `&`, `<` and `>`, the characters of Slack's control sequences
 * (https://docs.slack.dev/messaging/formatting-message-text#escaping), so that no text notifies a channel or imitates a link.
 * The result has at most `room` characters and no partial entity.
 */
export function escapeText(text: string, room: number): string {
  return clipText(text, room, (character) => ENTITIES[character] ?? character);
}

function clipText(text: string, room: number, write: (character: string) => string): string {
  const characters = Array.from(text.replaceAll(DIRECTION_CHARACTERS, '').replaceAll('\0', ''), write);
  if (characters.reduce((sum, { length }) => sum + length, 0) <= room) return characters.join('');
  let cut = '';
  for (const character of characters) {
    if (cut.length + character.length > room - ELLIPSIS.length) break;
    cut += character;
  }
  return room < ELLIPSIS.length ? '' : cut + ELLIPSIS;
}

function toOneLine(text: string): string {
  return text.replaceAll(BLANKS, ' ').trim();
}
