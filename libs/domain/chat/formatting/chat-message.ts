import { type ChatMessage, type ChatPart, type ChatRun } from '@adapters/chat';
import { type EventRecord } from '@domain/events';
import { getLocal } from '@platform/time';
import { type ChatEvent } from '../chat-events';
import { EVENT_PHRASES, type LeadEvent } from './event-phrases';

/** Maximum characters of a quoted text. */
export const MOST_QUOTED = 300;
/** Events listed in a summary; further ones are counted. */
export const MAX_LINES = 20;

/** An event with the names it refers to. */
export interface PostedEvent {
  readonly event: ChatEvent;
  readonly at: Date;
  readonly data: EventRecord['data'];
  /** Name of its campaign; null without one or when it was deleted. */
  readonly campaign: string | null;
  /** The address of its details; null without any. */
  readonly url: string | null;
}

/** Number of events by type. */
export type EventTally = ReadonlyMap<ChatEvent, number>;

interface Setting {
  readonly timezone: string;
  /** Earlier messages of unknown outcome. */
  readonly unconfirmed: EventTally;
  /** Where they are listed. */
  readonly messagesUrl: string;
}

/** A message of one event in full. Pure. */
export function createEventMessage(posted: PostedEvent, setting: Setting): ChatMessage {
  const { one, quotes } = EVENT_PHRASES[posted.event];
  const runs = toLine(posted);
  const quote = quotes === undefined ? null : toFieldReader(posted)(quotes);
  const parts: ChatPart[] = [
    { kind: 'heading', text: one },
    { kind: 'paragraph', runs },
    ...(quote === null ? [] : [{ kind: 'quote', text: excerpt(quote) } as const]),
    { kind: 'note', runs: [formatTime(posted.at, setting.timezone), ...toLink(posted, ' · ')] },
    ...toUnconfirmedParts(setting),
  ];
  return { summary: `${one}: ${plain(runs)}`, parts };
}

/**
 * A message of many events: counts by type, then the first ones in a line each. Pure.
 * @param tally counts of all events, also those not listed
 */
export function createDigestMessage(first: readonly PostedEvent[], tally: EventTally, setting: Setting): ChatMessage {
  const total = sumTally(tally);
  const heading = total === 1 ? 'One thing happened' : `${total} things happened`;
  const lines = first.slice(0, MAX_LINES);
  const more = total - lines.length;
  return {
    summary: `${heading}: ${getCounts(tally)}`,
    parts: [
      { kind: 'heading', text: heading },
      { kind: 'paragraph', runs: [getCounts(tally)] },
      ...lines.map((posted): ChatPart => ({
        kind: 'paragraph',
        runs: [`${formatTime(posted.at, setting.timezone)} `, ...toLine(posted), ...toLink(posted, ' ')],
      })),
      ...(more > 0 ? [{ kind: 'note', runs: [`and ${more} more`] } as const] : []),
      ...toUnconfirmedParts(setting),
    ],
  };
}

/** `3 replies, 1 bounce`, the most frequent first. */
export function getCounts(tally: EventTally): string {
  return [...tally]
    .toSorted(([, one], [, other]) => other - one)
    .map(
      ([event, count]) => `${count} ${count === 1 ? lowerFirst(EVENT_PHRASES[event].one) : EVENT_PHRASES[event].many}`,
    )
    .join(', ');
}

function toUnconfirmedParts({ unconfirmed, messagesUrl }: Setting): ChatPart[] {
  const total = sumTally(unconfirmed);
  if (total === 0) return [];
  const which = `(${getCounts(unconfirmed)})`;
  const text = `Slack did not confirm ${total === 1 ? 'one earlier message' : `${total} earlier messages`} ${which}: `;
  return [{ kind: 'note', runs: [text, { link: `${messagesUrl}?state=unknown`, text: 'which may be missing here' }] }];
}

function toLine(posted: PostedEvent): ChatRun[] {
  const runs = EVENT_PHRASES[posted.event].line(toFieldReader(posted));
  return posted.campaign === null || posted.event.startsWith('campaign.')
    ? [...runs]
    : [...runs, ' in ', { bold: posted.campaign }];
}

function toLink({ url }: PostedEvent, before: string): ChatRun[] {
  return url === null ? [] : [before, { link: url, text: 'open' }];
}

/** Joins lists and writes true as `yes`; false, erased and other values are omitted. */
function toFieldReader({ data }: PostedEvent): LeadEvent {
  return (field) => {
    const value = data[field];
    if (value === true) return 'yes';
    const text = Array.isArray(value) ? value.join(', ') : typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && text.trim() !== '' ? text : null;
  };
}

function excerpt(text: string): string {
  const characters = Array.from(text.trim());
  return characters.length <= MOST_QUOTED ? text.trim() : `${characters.slice(0, MOST_QUOTED - 1).join('')}…`;
}

function formatTime(at: Date, zone: string): string {
  const { day, time } = getLocal(at, zone);
  return `${day} ${time.slice(0, 'HH:MM'.length)}`;
}

function plain(runs: readonly ChatRun[]): string {
  return runs.map((run) => (typeof run === 'string' ? run : 'bold' in run ? run.bold : run.text)).join('');
}

function sumTally(tally: EventTally): number {
  return [...tally.values()].reduce((sum, count) => sum + count, 0);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
