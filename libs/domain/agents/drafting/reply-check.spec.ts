import fc from 'fast-check';
import { LINK_INJECTIONS } from '../testing/injections';
import { createReplyQuestion, parseModelReply } from './reply-prompt';
import { MATERIAL } from './testing/material';
import { type Allowance, findBrokenRule, MAX_CHARACTERS } from './reply-check';

const { system } = createReplyQuestion('reply', MATERIAL);
const ALLOWANCE: Allowance = {
  own: ['Book a call: https://cal.example.com/acme', 'Prices stand on shop.acme-tools.com/prices', 'sales@acme.test'],
  hosts: ['acme.com'],
  addresses: ['grace@senders.test', 'Ada@Elsewhere.test'],
  system,
  answered: 'Sounds good, when could we have a call about it next week, please?',
};
const FINE = 'Hello Ada,\n\nthank you, Tuesday at ten would suit us well. Is that good for you?\n\nGrace';
const broken = (text: string, more: Partial<Allowance> = {}) => findBrokenRule(text, { ...ALLOWANCE, ...more });

it('accepts a reply', () => {
  expect(broken(FINE)).toBeNull();
  expect(broken('Great – see you then! 👩‍💻')).toBeNull();
});

it.each([
  ['as the workspace gives it', `${FINE} https://cal.example.com/acme`],
  ['at the end of a sentence', `${FINE} Book here: https://cal.example.com/acme.`],
  ['without its scheme', `${FINE} cal.example.com/acme`],
  ['of the company’s site', `${FINE} See https://www.acme.com/about?x=1`],
  ['of a sentence without a blank, which is none', 'Thanks a lot.We are looking forward to e.g. v1.2 on Node.js'],
  ['to the company’s own addresses', `${FINE} Write to info@acme.com or help@support.acme.com.`],
  ['to people in the conversation', `${FINE} Write to ada@elsewhere.test or sales@acme.test.`],
])('accepts a link or an address %s', (_name, text) => {
  expect(broken(text)).toBeNull();
});

it.each([
  ['in a signature', `${FINE}\nTel: +41 44 000 00 00`],
  [
    'before a list',
    'Hello Ada,\n\nthank you for the data: we look at it on Tuesday. The file: it was attached.\n\nGrace',
  ],
])('treats words that resemble URL schemes as text: %s', (_name, text) => {
  expect(broken(text)).toBeNull();
});

it.each([
  ['nothing', ' \n', 'is empty'],
  ['too much', 'x'.repeat(MAX_CHARACTERS + 1), `has more than ${MAX_CHARACTERS} characters`],
  ['a placeholder', 'Hello [Name], Tuesday?', 'contains a placeholder'],
  ['a template field', 'Hello {{firstName}}, Tuesday?', 'contains a placeholder'],
  ['a gap', 'Call me at ______', 'contains a placeholder'],
  ['HTML', 'Hello <b>Ada</b>', 'contains markup'],
  ['a comment', 'Hello <!-- x --> Ada', 'contains markup'],
  ['a Markdown link', 'See [here](https://acme.com)', 'contains markup'],
  ['a code block', '```\nrm -rf\n```', 'contains markup'],
  ['a script link', 'javascript:alert(1)', 'contains markup'],
  ['a number to call', 'tel:+19005550100', 'contains markup'],
  ['a page in a link', 'data:text/html,x', 'contains markup'],
  ['a mail link', 'mailto:grace@senders.test', 'contains markup'],
  ['invisible characters', 'Tues\u200bday', 'contains control or invisible characters'],
  ['text that runs backwards', 'Pay \u202Egnp.exe', 'contains control or invisible characters'],
  ['a tag character', `Fine\u{E0041}`, 'contains control or invisible characters'],
])('refuses %s', (_name, text, rule) => {
  expect(broken(text)).toBe(rule);
});

it.each([
  ['a stranger’s', 'https://evil.example.org/login'],
  ['one that looks like the company’s', 'https://acme.com.evil.org/'],
  ['one with the company’s as user', 'https://acme.com@evil.org/'],
  ['another page of a host that was given with one', 'https://cal.example.com/evil'],
  ['without a scheme', 'evil.com/login'],
  ['without a scheme or a path', 'Please look at evil.com'],
  ['an address of a machine', 'http://10.0.0.1/'],
  ['of another scheme', 'ftp://acme.com/x'],
  ['in letters that look alike', 'https://аcme.com/'],
  ['in capitals', 'EVIL.COM'],
  ['with capitals', 'Evil.Com/login'],
  ['in wide letters', 'ｅｖｉｌ．ｃｏｍ'],
  ['with the stop of another script', 'evil。com'],
  ['with what joins letters invisibly', 'evil\u200d.com'],
  ['an address of a machine without a scheme', '203.0.113.7/login'],
])('refuses a link that does not come from the workspace: %s', (_name, link) => {
  expect(broken(`${FINE} ${link}`)).toMatch(/^(?:contains a link that|names an email address)/);
});

it.each(LINK_INJECTIONS.map(({ name, obeys }) => [name, obeys] as const))(
  'refuses a link that a foreign text injected: %s',
  (_name, obeys) => {
    const { text } = parseModelReply(JSON.parse(obeys)) as { text: string };
    expect(broken(text)).toMatch(/^(?:contains|names) /);
  },
);

it('refuses the address of a person outside the conversation', () => {
  const rule = 'names an email address from outside the conversation';
  expect(broken(`${FINE} Please send it to boss@evil.org`)).toBe(rule);
  expect(broken(`${FINE} Please send it to boss@acme.com.evil.org`)).toBe(rule);
  expect(broken(`${FINE} Please send it to boss＠evil.org`)).toBe(rule);
});

it('refuses a text that repeats the instructions of the prompt, in any form', () => {
  const said = system.split('\n')[0]!.toUpperCase().replace(/ /g, '  ');
  expect(broken(`My task: ${said}`)).toBe('repeats the instructions of the prompt');
});

it('refuses a language other than that of the message, when both can be detected', () => {
  const german = 'Vielen Dank für Ihre Nachricht, wir freuen uns und melden uns am Dienstag bei Ihnen.';
  expect(broken(german)).toBe('is in another language than the answered message');
  expect(broken(german, { answered: 'ok' })).toBeNull();
  expect(broken(FINE, { answered: 'Звучит хорошо, давайте созвонимся на следующей неделе, спасибо большое' })).toBe(
    'is in another language than the answered message',
  );
});

it('never accepts an unknown host at any position', () => {
  const name = fc.stringMatching(/^[a-z]{3,12}$/);
  fc.assert(
    fc.property(
      name,
      fc.constantFrom('com', 'org', 'io', 'de'),
      fc.constantFrom('', 'https://', 'http://www.'),
      (host, tld, scheme) => {
        fc.pre(!['acme', 'shop'].includes(host));
        expect(broken(`Fine, see ${scheme}${host}.${tld} for it`)).toBe(
          'contains a link that the workspace has not provided',
        );
      },
    ),
  );
});
