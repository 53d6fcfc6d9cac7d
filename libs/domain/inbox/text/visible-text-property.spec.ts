import { DEEP } from '@testing';
import fc from 'fast-check';
import { getVisibleText } from './visible-text';
import { sanitiseHtml } from './sanitise-html';

const WORDS = [
  'On Mon, 5 Jan 2026 10:00, Tom <t@x.y> wrote:',
  '> quoted',
  'Best regards,',
  'Jane',
  '-- ',
  '--',
  '',
  'Yes.',
  'From: a@b.c',
  'Sent: 10:00',
  'To: d',
  'Subject: e',
  '-----Original Message-----',
  '________________________________',
  'Sent from my iPhone',
  'PS: more',
  '>> > deep',
];
const TAGS = [
  '<div>',
  '</div>',
  '<p>',
  '<br>',
  '<blockquote>',
  '</blockquote>',
  '<div class="gmail_quote">',
  '<div id="divRplyFwdMsg">',
  '<pre>',
  '</pre>',
  '<span class="gmail_signature">',
  '</span>',
  '<table><tr><td>',
  '<script>',
  '</script>',
  'Yes.',
  ' ',
  '&amp;',
  '<!--',
  '-->',
  '<',
  '"',
];

/** Adversarial units: repeated text on which a rule could be slow. */
const UNITS = [
  'a',
  ' ',
  '\n',
  '> a\n',
  '-- \n',
  '_',
  'On 5 May 2026 10:00 wrote:\n> a\nb\n',
  'On 5 May 2026\n',
  '<a@a.b>:\n',
  ' a@a',
  'From: a\n',
  'From: a@b 10:00\nDate: 10:00\nx\n',
  '-----Original Message-----\n',
  'Best regards,\nJane\n\n',
  'Sent from my iPhone\n',
  '1',
  '\u0301',
  '\u200b',
];
const HTML_UNITS = [
  '<div>',
  '</div>',
  '<div></div>',
  '<blockquote>',
  '<b>',
  '</b>',
  '<span class="gmail_signature">',
  '<table><tr><td>',
  '<',
  '<!--',
  '<div style="',
  '<li>',
  '<blockquote>a</blockquote>b',
];

/** CPU milliseconds, so that other processes do not count. Takes the lesser of two runs unless the first is small. */
function cost(work: () => unknown, enough = 0): number {
  const once = () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const first = once();
  return first < enough ? first : Math.min(first, once());
}

/** Characters. */
const LONG = DEEP ? 200_000 : 80_000;

/** For ten times the input, quadratic work grows a hundredfold. The constant allows for garbage collection. */
function expectLinear(read: (length: number) => unknown): void {
  read(1_000);
  const most = cost(() => read(LONG / 10)) * 35 + (150 * LONG) / 200_000;
  expect(cost(() => read(LONG), most)).toBeLessThan(most);
}

const repeated = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length));

describe('getVisibleText', () => {
  it('never throws and gives well-formed text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ unit: 'binary', maxLength: 400 }),
        (text, html) => {
          const found = getVisibleText({ text, html });
          expect(found.text.isWellFormed()).toBe(true);
          expect(found.text).toBe(found.text.trim());
        },
      ),
    );
  });

  it('adds no line that the mail lacks', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }), (lines) => {
        const found = getVisibleText({ text: lines.join('\n') });
        const known = new Set([
          ...lines.map((line) => line.trim()),
          ...lines.map((line) => line.replace(/^>+ ?/, '').trim()),
          '',
        ]);
        expect(found.text.split('\n').filter((line) => !known.has(line.trim()))).toEqual([]);
      }),
    );
  });

  it('keeps the text of a reply above a quote', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,12}( [a-z]{3,12}){0,8}$/), (words) => {
        expect(getVisibleText({ text: `${words}\n\n${WORDS[0]}\n> quoted` }).text).toBe(words);
      }),
    );
  });

  it('reads elements in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TAGS), { maxLength: 60 }), (tags) => {
        const html = tags.join('');
        expect(getVisibleText({ html }).text).not.toContain('<div');
        expect(sanitiseHtml(html)).not.toMatch(/<(?:script|!--)/);
      }),
    );
  });

  it.each(UNITS)('needs linear time for text of %j', (unit) => {
    expectLinear((length) => getVisibleText({ text: repeated(unit, length) }));
  });

  it.each(HTML_UNITS)('needs linear time for HTML of %j', (unit) => {
    expectLinear((length) => getVisibleText({ html: repeated(unit, length) }));
  });
});
