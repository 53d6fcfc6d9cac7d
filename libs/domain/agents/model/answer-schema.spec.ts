import { matchesSchema } from './answer-schema';

const REPLY = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 10 },
    tone: { type: ['string', 'null'], enum: ['warm', 'cool', null] },
    days: { type: 'integer', minimum: 1, maximum: 3 },
    points: { type: 'array', maxItems: 2, minItems: 1, items: { type: 'string' } },
    more: {
      type: 'object',
      properties: { sure: { type: 'boolean' } },
      required: ['sure'],
      additionalProperties: false,
    },
  },
  required: ['text'],
  additionalProperties: false,
} as const;

const FITTING: readonly unknown[] = [
  { text: 'Hello' },
  { text: 'Hello', tone: 'warm', days: 3, points: ['a', 'b'], more: { sure: true } },
  { text: 'Hello', tone: null },
];
const UNFITTING: readonly unknown[] = [
  null,
  'Hello',
  [],
  {},
  { text: 1 },
  { text: '' },
  { text: 'longer than ten' },
  { text: 'Hello', to: 'eve@evil.example' },
  { text: 'Hello', tone: 'hot' },
  { text: 'Hello', days: 1.5 },
  { text: 'Hello', days: 0 },
  { text: 'Hello', days: 4 },
  { text: 'Hello', days: '1' },
  { text: 'Hello', points: [] },
  { text: 'Hello', points: ['a', 'b', 'c'] },
  { text: 'Hello', points: ['a', 1] },
  { text: 'Hello', points: { 0: 'a' } },
  { text: 'Hello', more: {} },
  { text: 'Hello', more: { sure: true, unsure: true } },
  { text: 'Hello', more: null },
  { text: 'Hello', constructor: 'x' },
];

describe('an answer by its schema', () => {
  it.each(FITTING.map((answer) => ({ answer })))('fits: $answer', ({ answer }) => {
    expect(matchesSchema(answer, REPLY)).toBe(true);
  });

  it.each(UNFITTING.map((answer) => ({ answer })))('does not fit: $answer', ({ answer }) => {
    expect(matchesSchema(answer, REPLY)).toBe(false);
  });

  it('counts characters, not UTF-16 units', () => {
    expect(matchesSchema({ text: '\u{1f600}'.repeat(10) }, REPLY)).toBe(true);
    expect(matchesSchema({ text: '\u{1f600}'.repeat(11) }, REPLY)).toBe(false);
  });

  it('does not treat a prototype property as a field', () => {
    expect(matchesSchema(JSON.parse('{"__proto__": {"text": "Hello"}}'), REPLY)).toBe(false);
    expect(matchesSchema({ text: 'Hello' }, { ...REPLY, required: ['text', 'toString'] })).toBe(false);
  });

  it('may have additional fields unless the schema forbids them', () => {
    expect(
      matchesSchema({ text: 'Hello', more: 1 }, { type: 'object', properties: { text: { type: 'string' } } }),
    ).toBe(true);
    expect(matchesSchema([1, 'a'], { type: 'array' })).toBe(true);
  });
});
