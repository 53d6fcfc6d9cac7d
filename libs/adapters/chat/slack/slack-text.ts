import { type ChatMessage, type ChatPart, type ChatRun } from '../port/chat-message';

/** Limits of Block Kit (https://docs.slack.dev/reference/block-kit/blocks), in characters of what is sent. */
export const MAX_SECTION = 3_000;
export const MAX_HEADER = 150;
export const MAX_BLOCKS = 50;
/** What the fallback text may have without being cut by Slack (https://docs.slack.dev/reference/methods/chat.postMessage). */
export const MAX_FALLBACK = 4_000;

const ELLIPSIS = '…';
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Characters that turn the direction of what follows around. */
const DIRECTION_CHARACTERS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Blanks and all that begins a line: NEL is no white space to JavaScript. */
const BLANKS = /[\s\u0085]+/gu;

interface Mrkdwn {
  readonly type: 'mrkdwn';
  readonly text: string;
  /** Slack makes no links, channels and mentions of what looks like one. */
  readonly verbatim: true;
}

export type SlackBlock =
  | {
      readonly type: 'header';
      readonly text: { readonly type: 'plain_text'; readonly text: string; readonly emoji: false };
    }
  | { readonly type: 'section'; readonly text: Mrkdwn }
  | { readonly type: 'context'; readonly elements: readonly Mrkdwn[] };

/** A message as both the Web API and incoming webhooks take it. */
export interface SlackPayload {
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
  readonly unfurl_links: false;
  readonly unfurl_media: false;
}

/** Pure. What does not fit is cut, and marked so; parts beyond the fiftieth are left out. */
export function toPayload({ summary, parts }: ChatMessage): SlackPayload {
  return {
    text: escapeText(toOneLine(summary), MAX_FALLBACK) || ELLIPSIS,
    blocks: parts.flatMap(toBlocks).slice(0, MAX_BLOCKS),
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** Slack refuses a block without text: an empty part makes none. */
function toBlocks(part: ChatPart): SlackBlock[] {
  if (part.kind === 'heading') {
    // Plain text knows no entities: nothing in it means anything.
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
  // A line of somebody else's text must not look like one of ours: line breaks are for quotes.
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
 * Text in which nothing is markup: `&`, `<` and `>` are all that Slack's control sequences are made of
 * (https://docs.slack.dev/messaging/formatting-message-text#escaping), so that no text notifies a channel or poses as a link.
 * Never longer than `room` characters, entities whole.
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
