import { type ChatMessage } from '@adapters/chat';
import { EVENT_DATA } from '@domain/events';
import { CHAT_EVENTS, type ChatEvent } from '../chat-events';
import {
  getCounts,
  MAX_LINES,
  MOST_QUOTED,
  createEventMessage,
  createDigestMessage,
  type PostedEvent,
} from './chat-message';

const AT = new Date('2026-11-22T23:30:00Z');
const setting = {
  timezone: 'Europe/Berlin',
  unconfirmed: new Map(),
  messagesUrl: 'https://o.example/v1/integrations/slack/messages',
};
const told = (event: ChatEvent, data: Record<string, unknown> = {}, more: Partial<PostedEvent> = {}): PostedEvent => ({
  event,
  at: AT,
  data: { ...EVENT_DATA[event].example, ...data },
  campaign: null,
  url: null,
  ...more,
});
const textOf = ({ parts }: ChatMessage): string[] =>
  parts.map((part) =>
    'text' in part
      ? part.text
      : part.runs
          .map((run) =>
            typeof run === 'string' ? run : 'bold' in run ? `*${run.bold}*` : `[${run.text}](${run.link})`,
          )
          .join(''),
  );

it.each(CHAT_EVENTS)('describes %s in a sentence, even when its data was erased', (event) => {
  const [heading, line] = textOf(createEventMessage(told(event), setting));
  expect(heading).toMatch(/^[A-Z]/);
  expect(line).not.toMatch(/undefined|null|NaN|\[object|\?/);
  const [, bare = ''] = textOf(createEventMessage({ event, at: AT, data: {}, campaign: null, url: null }, setting));
  expect(bare.trim().length).toBeGreaterThan(5);
  expect(bare).not.toMatch(/undefined|null|NaN|\[object/);
});

it('shows who replied to what, in which campaign, with the text and a link', () => {
  const letter = createEventMessage(
    told(
      'email.positive_reply',
      { text: 'Tuesday at ten.' },
      { campaign: 'Autumn', url: 'https://o.example/v1/inbox/1' },
    ),
    setting,
  );
  expect(textOf(letter)).toEqual([
    'Positive reply',
    '*ada@example.com* replied positively (“A question about your roadmap”) in *Autumn*',
    'Tuesday at ten.',
    '2026-11-23 00:30 · [open](https://o.example/v1/inbox/1)',
  ]);
  expect(letter.summary).toBe(
    'Positive reply: ada@example.com replied positively (“A question about your roadmap”) in Autumn',
  );
});

it.each([
  [
    { jobType: 'pull', dryRun: false, created: 20, failed: 1 },
    'A sync from *hubspot* is done: 20 created, 15 updated, 80 unchanged, 1 in conflict, 3 skipped, 1 failed',
  ],
  [
    { jobType: 'push', dryRun: true, created: 0, failed: 0 },
    'A dry run to *hubspot* is done: 0 created, 15 updated, 80 unchanged, 1 in conflict, 3 skipped, 0 failed',
  ],
])('describes the result of a CRM sync: %j', (data, line) => {
  expect(textOf(createEventMessage(told('crm.sync_completed', { crmType: 'hubspot', ...data }), setting))[1]).toBe(
    line,
  );
});

it.each([
  [MOST_QUOTED, MOST_QUOTED],
  [MOST_QUOTED + 1, MOST_QUOTED],
  [9_999, MOST_QUOTED],
])('cuts quoted text: %s characters become %s', (given, kept) => {
  const [, , quote = ''] = textOf(
    createEventMessage(told('email.replied', { text: '\u{1f600}'.repeat(given) }), setting),
  );
  expect(Array.from(quote)).toHaveLength(kept);
  expect(quote.isWellFormed()).toBe(true);
});

it('counts all events of a summary, and lists the first ones in a line each', () => {
  const first = Array.from({ length: MAX_LINES + 3 }, () => told('email.bounced', { reason: null }));
  const tally = new Map<ChatEvent, number>([
    ['email.replied', 1],
    ['email.bounced', 40],
  ]);
  const texts = textOf(createDigestMessage(first, tally, setting));
  expect(texts.slice(0, 3)).toEqual([
    '41 things happened',
    '40 bounces, 1 reply',
    '2026-11-23 00:30 An email to *ada@example.com* bounced',
  ]);
  expect(texts).toHaveLength(2 + MAX_LINES + 1);
  expect(texts.at(-1)).toBe('and 21 more');
});

it('mentions messages that may be missing', () => {
  const lost = new Map<ChatEvent, number>([['email.positive_reply', 2]]);
  expect(textOf(createEventMessage(told('campaign.completed'), { ...setting, unconfirmed: lost })).at(-1)).toBe(
    'Slack did not confirm 2 earlier messages (2 positive replies): ' +
      '[which may be missing here](https://o.example/v1/integrations/slack/messages?state=unknown)',
  );
});

it('lists the most frequent events first', () => {
  expect(
    getCounts(
      new Map<ChatEvent, number>([
        ['email.bounced', 1],
        ['email.replied', 3],
      ]),
    ),
  ).toBe('3 replies, 1 bounce');
});
