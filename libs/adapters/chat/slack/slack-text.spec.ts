import { rounds } from '@testing';
import fc from 'fast-check';
import { type ChatPart } from '../port/chat-message';
import { getMessageFault } from '../testing/slack-rules';
import { escapeText, MAX_BLOCKS, MAX_FALLBACK, MAX_SECTION, toPayload, type SlackBlock } from './slack-text';

const HOSTILE = [
  '<!channel>',
  '<!here|here>',
  '<@U0ADMIN>',
  '<#C0SALES|sales>',
  '<https://evil.example|https://acme.example>',
  '</!everyone>',
  '&lt;!channel&gt;',
  '*_~`<&>`~_*',
  '\u202egnihton\u202c',
  'a\0b',
  '>>> quote',
];

const hostile = fc.oneof(fc.string({ unit: 'binary', maxLength: 4_000 }), fc.constantFrom(...HOSTILE));
const run = fc.oneof(
  hostile,
  hostile.map((bold) => ({ bold })),
  fc.tuple(fc.webUrl(), hostile).map(([link, text]) => ({ link, text })),
);
const part: fc.Arbitrary<ChatPart> = fc.oneof(
  hostile.map((text) => ({ kind: 'heading' as const, text })),
  hostile.map((text) => ({ kind: 'quote' as const, text })),
  fc.array(run, { maxLength: 6 }).map((runs) => ({ kind: 'paragraph' as const, runs })),
  fc.array(run, { maxLength: 6 }).map((runs) => ({ kind: 'note' as const, runs })),
);

const textsOf = (block: SlackBlock): string[] =>
  block.type === 'context' ? block.elements.map(({ text }) => text) : block.type === 'section' ? [block.text.text] : [];

it('converts any text to a message that Slack accepts, without foreign markup', () => {
  fc.assert(
    fc.property(hostile, fc.array(part, { maxLength: 60 }), (summary, parts) => {
      const { text, blocks } = toPayload({ summary, parts });
      expect(getMessageFault(text, blocks)).toBeNull();
      expect(text.length).toBeLessThanOrEqual(MAX_FALLBACK);
      for (const one of [text, ...blocks.flatMap(textsOf)]) {
        expect(one.replaceAll(/<https?:\/\/[^<>|\s]+\|[^<>]+>/g, '').replaceAll(/^>/gm, '')).not.toMatch(/[<>]/);
        expect(one.isWellFormed() || !summary.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: rounds(200) },
  );
});

it.each(HOSTILE.slice(0, 5))('shows %s as plain text', (text) => {
  const shown = escapeText(text, 100);
  expect(shown).not.toMatch(/[<>]/);
  expect(shown.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')).toBe(text);
});

it('truncates only long text, and never splits an entity or a surrogate pair', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 80 }), (text, room) => {
      const shown = escapeText(text, room);
      expect(shown.length).toBeLessThanOrEqual(room);
      const whole = escapeText(text, Number.POSITIVE_INFINITY);
      if (whole.length <= room) expect(shown).toBe(whole);
      else expect(shown.endsWith('…')).toBe(true);
      expect(shown).not.toMatch(/&(?!amp;|lt;|gt;)/);
    }),
  );
});

it('converts headings, bold, links, quotes and small print to Block Kit', () => {
  const { text, blocks } = toPayload({
    summary: 'Ada & Bob\nreplied',
    parts: [
      { kind: 'heading', text: 'A & B' },
      { kind: 'paragraph', runs: [{ bold: 'Ada *' }, ' said ', { link: 'https://x.example/a|b', text: 'yes' }] },
      { kind: 'quote', text: 'one\n\n  \ntwo <3' },
      { kind: 'note', runs: ['small'] },
      { kind: 'paragraph', runs: ['  '] },
    ],
  });
  expect(text).toBe('Ada &amp; Bob replied');
  expect(blocks).toEqual([
    { type: 'header', text: { type: 'plain_text', text: 'A & B', emoji: false } },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '*Ada ∗* said <https://x.example/a%7Cb|yes>', verbatim: true },
    },
    { type: 'section', text: { type: 'mrkdwn', text: '>one\n>two &lt;3', verbatim: true } },
    { type: 'context', elements: [{ type: 'mrkdwn', text: 'small', verbatim: true }] },
  ]);
});

it.each(['a subject\n*Mailbox disconnected*', 'a subject\r\n>quote', 'a subject\u2028• item', 'a\u2029b\u0085c\v\fd'])(
  'keeps untrusted text on its line: %j',
  (text) => {
    const { blocks } = toPayload({
      summary: text,
      parts: [{ kind: 'paragraph', runs: ['Said: ', text, { bold: text }] }],
    });
    expect(textsOf(blocks[0]!)).toEqual([expect.stringMatching(/^Said: a[^\n\v\f\r\u0085\u2028\u2029]+$/u)]);
  },
);

it('respects the limits of Block Kit', () => {
  const parts = Array.from({ length: 80 }, (): ChatPart => ({ kind: 'quote', text: '&'.repeat(5_000) }));
  const { blocks } = toPayload({ summary: 'x', parts });
  expect(blocks).toHaveLength(MAX_BLOCKS);
  expect(Math.max(...blocks.flatMap(textsOf).map(({ length }) => length))).toBeLessThanOrEqual(MAX_SECTION);
});
