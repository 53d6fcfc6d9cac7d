import { readMailAnswer } from '../text/visible-text';
import { labelAnswer } from './label-answer';

const WROTE = 'On Tue, 24 Nov 2026 at 10:00, Grace <unsubscribe@senders.test> wrote:';
const OURS = 'Hello Ada,\nif this is not for you, please unsubscribe or write "remove me from your list".';
const MARKED = OURS.replace(/^/gm, '> ');

const label = (text: string) => labelAnswer({ ...readMailAnswer({ text }), subject: 'Re: Hello' });
const isOptOut = (text: string) => {
  const { label: found, confidence } = label(text);
  return found === 'unsubscribe_request' && confidence === 'high';
};

describe('the label of a reply', () => {
  it.each([
    ['above the attribution', `Please remove me\n${WROTE}\n${MARKED}`],
    ['with an address of theirs', `Please remove ada@acme.test\n${WROTE}\n${MARKED}`],
    ['above history without marks', `10:00 is bad. Please unsubscribe me\n${WROTE}\n${OURS}`],
    ['below the quote', `${WROTE}\n${MARKED}\n\nPlease remove me`],
    ['between quotes', `${WROTE}\n> Hello Ada,\n\nPlease remove me\n\n${MARKED}`],
    ['in what looks like a signature', `Not for us.\n\nThanks,\nplease remove me\n\n${WROTE}\n${MARKED}`],
    ['in what looks like an attribution', `As you wrote on 5 May 2026, remove me from your list:\n${MARKED}`],
    [
      'on the line of the attribution',
      `Please remove me. Den 5 jan. 2026 kl 10:00 skrev Tom <tom@ours.test>:\n${MARKED}`,
    ],
  ])('is a certain opt-out for one %s', (_, text) => {
    expect(isOptOut(text)).toBe(true);
  });

  it.each([
    ['nothing else', `${WROTE}\n${MARKED}`],
    ['nothing else, and has no marks', `${WROTE}\n\n${OURS}`],
    [
      'a forwarded mail',
      `---------- Forwarded message ---------\nFrom: Grace <g@senders.test>\nDate: Tue, 24 Nov 2026\nSubject: Hi\nTo: Ada\n\n${OURS}`,
    ],
    ['a telephone’s line', `Sent from my iPhone\n\n${WROTE}\n${MARKED}`],
    ['a greeting', `Hello Grace\n${WROTE}\n${OURS}`],
    ['interest', `Sounds good, let us talk on Tuesday.\n${WROTE}\n${MARKED}`],
    ['interest and a footer', `Sounds good.\n\nBest,\nAda\nTo unsubscribe, answer with stop\n\n${WROTE}\n${MARKED}`],
    ['a question and a delimiter', `Which price?\n\n-- \nAcme\nUnsubscribe\n\n${WROTE}\n${MARKED}`],
  ])('is no certain opt-out when our own mail is quoted beside %s', (_, text) => {
    expect(isOptOut(text)).toBe(false);
  });

  it('is an uncertain opt-out when the text may belong to the quoted mail', () => {
    expect(label(`${WROTE}\nPlease remove me`)).toMatchObject({ label: 'unsubscribe_request', confidence: 'low' });
  });

  it('is that of interest and absence above the quote when the text is inconclusive', () => {
    const above = 'Lorem ipsum.\n\nThanks,\n';
    expect(label(`${above}we are interested\n\n${WROTE}\n${MARKED}`).label).toBe('positive');
    expect(label(`${above}I am on vacation until the 5th\n\n${WROTE}\n${MARKED}`).label).toBe('out_of_office');
  });
});
