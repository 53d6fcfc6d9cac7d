import { rounds } from '@testing';
import fc from 'fast-check';
import { parseMail } from '../classify/mail-parsing';
import { getVisibleText } from './visible-text';

/** Sentences of people, some of which look like the start of an attribution. */
const SENTENCES = [
  'Please remove me from your list, we have no use for it.',
  'Write to ada@acme.test instead, she decides on tools like this one.',
  '10:00 is fine for us, the meeting room is booked until noon.',
  'On 5 May at 10:00 we could have a short call about it.',
  'We have <5 people in the team that would ever look at it.',
  '2 of my colleagues have seen the demo and did not like it.',
  'Wir brauchen das derzeit nicht, bitte streichen Sie uns.',
];
const ATTRIBUTIONS = [
  'On Tue, Nov 24, 2026 at 10:00 AM Grace Hopper <grace@senders.test> wrote:',
  'On Tue, Nov 24, 2026 at 10:00 AM Grace Hopper\n<grace@senders.test> wrote:',
  'On 24 Nov 2026, at 10:00, Grace Hopper\n<grace@senders.test>\nwrote:',
  'On 24/11/2026 10:00, Grace Hopper wrote:',
  'Am Di., 24. Nov. 2026 um 10:00 Uhr schrieb Grace Hopper <grace@senders.test>:',
  'Grace Hopper <grace@senders.test> schrieb am Di., 24. Nov. 2026, 10:00:',
  'Le mar. 24 nov. 2026 à 10:00, Grace Hopper <grace@senders.test> a écrit :',
  '24.11.2026, 10:00, "Grace Hopper" <grace@senders.test>:',
];
const OURS = ['Hello Ada, quotedwords here are ours.', 'Shall we talk about the quotedwords?'];

interface Form {
  readonly isFlowed: boolean;
  readonly width: number;
}

/** Breaks a paragraph like a client: flowed text keeps the blank at the break, and no line starts with a stuffed character. */
function wrapped(paragraph: string, { isFlowed, width }: Form, marks = ''): string {
  const lines: string[] = [];
  for (const word of paragraph.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => marks + line).join(isFlowed ? ' \n' : '\n');
}

/** The quote, whose last line may also end with the blank of a soft break. */
function quoted(form: Form, at: number, endsSoft: boolean): string {
  return wrapped(OURS[at] ?? '', form, '> ') + (form.isFlowed && endsSoft ? ' ' : '');
}

const forms = fc.record({ isFlowed: fc.boolean(), width: fc.integer({ min: 30, max: 90 }) });
const mails = fc.record({
  form: forms,
  sentences: fc.uniqueArray(fc.constantFrom(...SENTENCES), { minLength: 2, maxLength: 2 }),
  attribution: fc.constantFrom(...ATTRIBUTIONS),
  place: fc.constantFrom('top', 'bottom', 'between'),
  above: fc.constantFrom('\n', '\n\n', '\n\n\n'),
  below: fc.constantFrom('\n', '\n\n'),
  endsSoft: fc.boolean(),
});

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

describe('a reply in any form', () => {
  it('keeps its complete sentences and nothing of the quote', async () => {
    await fc.assert(
      fc.asyncProperty(mails, async ({ form, sentences, attribution, place, above, below, endsSoft }) => {
        const [first = '', second = ''] = sentences.map((sentence) => wrapped(sentence, form));
        const [one, two] = [quoted(form, 0, endsSoft), quoted(form, 1, endsSoft)];
        const body = {
          top: `${first}\n\n${second}${above}${attribution}${below}${one}\n>\n${two}`,
          bottom: `${attribution}${below}${one}\n>\n${two}${above}${first}\n\n${second}`,
          between: `${attribution}${below}${one}${above}${first}${above}${two}${above}${second}`,
        }[place];
        const type = `Content-Type: text/plain; charset=utf-8${form.isFlowed ? '; format=flowed' : ''}`;
        const { text } = await parseMail(Buffer.from(`From: ada@acme.test\n${type}\n\n${body}\n`));
        const visible = oneLine(getVisibleText({ text }).text);
        for (const sentence of sentences) expect(visible).toContain(sentence);
        expect(visible).not.toMatch(/quotedwords|Hopper/);
      }),
      { numRuns: rounds(5_000) },
    );
  });
});
