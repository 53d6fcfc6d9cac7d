import fc from 'fast-check';
import { classifyAutoReply } from '../auto-reply/auto-reply';
import { getMail } from '../auto-reply/testing/mail';
import { labelByRules } from './label-by-rules';

const LABELS = ['positive', 'neutral', 'negative', 'out_of_office', 'unsubscribe_request', 'other'];
/** An unbounded rule would not terminate on one of these. */
const UNITS = [
  'a ',
  'a? ',
  '*',
  'auto: ',
  '[a] ',
  're: ',
  'not ',
  "n't a ",
  'interested ',
  'not interested ',
  'please remove me from ',
  'send me the ',
  'until ',
  'until 1 May ',
  '1/1 ',
  '5-',
  '1.',
  'bis zum ',
  'ich bin ',
  'i am not in ',
  'je ne ',
  'no me ',
  'nao me ',
  'non mi ',
  'wil ik ',
  '12月',
  '自動',
  'if we ',
  'how a ',
  '\u0301',
];

describe('the label rules', () => {
  it('never throw', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.string({ unit: 'binary', maxLength: 100 }),
        (text, subject) => {
          expect(LABELS).toContain(labelByRules({ text, subject }).label);
          const judged = classifyAutoReply(getMail({ text, subject }));
          expect(judged === null || judged.rule !== '').toBe(true);
        },
      ),
    );
  });

  it('return a day that is neither before the mail nor more than a year after it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 31 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 2025, max: 2029 }),
        (day, month, year) => {
          const text = `I am out of the office until ${day}.${month}.${year} with limited access to email.`;
          const returnsOn = classifyAutoReply(getMail({ subject: 'Automatic reply: Hello', text }))?.returnsOn ?? null;
          expect(returnsOn === null || (returnsOn >= '2026-11-21' && returnsOn <= '2027-11-22')).toBe(true);
        },
      ),
    );
  });

  it.each(UNITS)('terminate on repeated %j', (unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    expect(LABELS).toContain(labelByRules({ text, subject: text }).label);
    expect(() => classifyAutoReply(getMail({ text, subject: text }))).not.toThrow();
  });

  it('read only the start of a long mail', () => {
    const text = `Not interested.${' Lorem ipsum.'.repeat(400)}`;
    expect(labelByRules({ text: `${text} Please unsubscribe me.`, subject: '' })).toEqual(
      labelByRules({ text, subject: '' }),
    );
  });
});
