import { readMailAnswer, getVisibleText } from './visible-text';

const WROTE = 'On Tue, 24 Nov 2026 at 10:00, Grace <grace@senders.test> wrote:';
const QUOTE = '> Hello Ada,\n> shall we talk?\n> To unsubscribe, write "remove me".';
const HEADER = 'From: Grace <grace@senders.test>\nSent: Tuesday, 24 November 2026 10:00\nTo: Ada\nSubject: Hello';
const FORWARDED = `---------- Forwarded message ---------\n${HEADER}`;

/** Attributions, on one line and folded. */
const ATTRIBUTIONS = [
  WROTE,
  'On Tue, 24 Nov 2026 at 10:00, Grace\n<grace@senders.test> wrote:',
  'On Tue, 24 Nov 2026 at 10:00, Grace\n<grace@senders.test>\nwrote:',
  'On Tue, Nov 24,\n2026 at 10:00 AM Grace <grace@senders.test> wrote:',
  'Am Di., 24. Nov. 2026\num 10:00 Uhr schrieb Grace <grace@senders.test>:',
  'Grace <grace@senders.test> schrieb am Di., 24. Nov. 2026, 10:00:',
  'On Tue, Grace wrote:',
];

/** Replies that seem to contain the start of an attribution. */
const ABOVE = [
  'Please remove me',
  'Please remove ada@acme.test',
  'My address <ada@acme.test>\nPlease remove me',
  'We have <3 people',
  '2 things: we are fine\nand please stop',
  '10:00 is fine',
  'On Monday 5 we can talk',
  'On 5 May at 10:00 is fine',
  '5 May 2026 at 10:00 is fine for ada@acme.test',
];

describe('the text of a reply', () => {
  describe.each(ATTRIBUTIONS)('without a blank line above "%s"', (attribution) => {
    it.each(ABOVE)('is "%s"', (answer) => {
      expect(getVisibleText({ text: `${answer}\n${attribution}\n${QUOTE}` }).text).toBe(answer);
    });
  });

  it.each(ABOVE)('above a quote without marks is "%s"', (answer) => {
    expect(getVisibleText({ text: `${answer}\n${WROTE}\nHello Ada,\nshall we talk?` }).text).toBe(answer);
  });

  it.each([
    ['an attribution', `${WROTE}\nPlease remove me`],
    ['an attribution and a blank line', `${WROTE}\n\nPlease remove me`],
    ['an attribution, above the quote', `${WROTE}\n\nPlease remove me\n\n${QUOTE}`],
    ['the header of a forwarded mail', `${FORWARDED}\n\nPlease remove me`],
    ['a copied header', `${HEADER}\n\nPlease remove me`],
    ['a separator', '-----Original Message-----\n\nPlease remove me'],
  ])('is kept below %s, with low confidence', (_, text) => {
    const answer = readMailAnswer({ text });
    expect(answer.text).toContain('Please remove me');
    expect(answer.text).not.toContain('Hello Ada');
    expect(answer.certainText).toBe('');
  });

  it('is certain below the quote, even with text above it', () => {
    const answer = readMailAnswer({ text: `${WROTE}\n\nHi Grace\n\n${QUOTE}\n\nPlease remove me` });
    expect(answer).toMatchObject({ text: 'Hi Grace\n\nPlease remove me', certainText: 'Please remove me' });
  });

  it.each([
    ['an attribution', `${WROTE}\n${QUOTE}`],
    ['a header', `${HEADER}\n\n${QUOTE}`],
    ['a separator', `-----Original Message-----\n${HEADER}\n\n${QUOTE}`],
  ])('is empty when only a marked quote follows %s', (_, text) => {
    expect(readMailAnswer({ text })).toEqual({ text: '', quoted: true, signature: null });
  });

  it('also returns the text above the quote when a rule treated text as a signature', () => {
    const { text, textAboveQuote } = readMailAnswer({
      text: `Not for us.\n\nThanks,\nplease remove me\n\n${WROTE}\n${QUOTE}`,
    });
    expect([text, textAboveQuote]).toEqual(['Not for us.', 'Not for us.\n\nThanks,\nplease remove me']);
  });

  it.each([
    '-- \nAcme. Unsubscribe',
    'Best,\nAda\nUnsubscribe: https://acme.test/u',
    'Best,\nAda\nUnsubscribe from our newsletter',
    'This e-mail is confidential and intended for you.\nUnsubscribe',
    'Sent from my iPhone',
  ])('contains no standard footer: "%s"', (footer) => {
    const { textAboveQuote = '' } = readMailAnswer({ text: `Tuesday is fine.\n\n${footer}\n\n${WROTE}\n${QUOTE}` });
    expect(textAboveQuote).not.toMatch(/unsubscribe|sent from/i);
  });
});
