import fc from 'fast-check';
import { getFingerprint } from '../port/fingerprint';
import { getGmailSummary } from './gmail-headers';

const summary = (headers: Record<string, string>) =>
  getGmailSummary(Object.entries(headers).map(([name, value]) => ({ name, value })));

describe('a summary of headers', () => {
  it('decodes encoded words', () => {
    const { subject, from, to } = summary({
      Subject: '=?utf-8?B?w5xiZXJzaWNodA==?= for =?iso-8859-1?Q?J=FCrgen?=',
      From: '=?utf-8?Q?Doe=2C_J=C3=BCrgen?= <jd@there.example>',
      To: '"Lovelace, Ada" <ada@sender.example>, team: <x@y.example>, z@y.example;',
    });
    expect(subject).toBe('Übersicht for Jürgen');
    expect(from).toEqual({ name: 'Doe, Jürgen', address: 'jd@there.example' });
    expect(to).toEqual([
      { name: 'Lovelace, Ada', address: 'ada@sender.example' },
      { name: '', address: 'x@y.example' },
      { name: '', address: 'z@y.example' },
    ]);
  });

  it('keeps values that Gmail has already decoded', () => {
    expect(summary({ Subject: 'Übersicht 100%' }).subject).toBe('Übersicht 100%');
  });

  it('finds headers regardless of case, and the first of several', () => {
    const headers = [
      { name: 'MESSAGE-ID', value: '<a@b.example>' },
      { name: 'Message-Id', value: '<c@d.example>' },
    ];
    expect(getGmailSummary(headers).messageId).toBe('<a@b.example>');
  });

  it.each([
    ['<a@b.example>', '<a@b.example>'],
    ['  <a@b.example> (comment)', '<a@b.example>'],
    ['a@b.example', '<a@b.example>'],
    ['<with space@b.example>', null],
    ['<a@b.example', '<a@b.example>'],
    ['<>', null],
    ['two words', null],
    [`<${'x'.repeat(5_000)}@b.example>`, null],
    ['', null],
  ])('reads the Message-ID %j as %j', (value, expected) => {
    expect(summary({ 'Message-ID': value }).messageId).toBe(expected);
  });

  it('reads folded, concatenated and numerous references', () => {
    expect(summary({ References: '<a@b.example><c@d.example>\t<e@f.example>' }).references).toEqual([
      '<a@b.example>',
      '<c@d.example>',
      '<e@f.example>',
    ]);
    const many = Array.from({ length: 900 }, (_, at) => `<${at}@b.example>`);
    const { references } = summary({ References: many.join(' ') });
    expect(references).toHaveLength(200);
    expect(references.at(-1)).toBe('<899@b.example>');
  });

  it.each([
    ['MAILER-DAEMON (Mail Delivery System)', { name: 'MAILER-DAEMON', address: '' }],
    ['Mail Delivery System <MAILER-DAEMON>', { name: 'Mail Delivery System', address: 'MAILER-DAEMON' }],
    ['"a b"@c.example', null],
    ['Eve <eve@x.example\r\nBcc: victim@y.example>', { name: 'Eve', address: '' }],
    ['Eve <a@x.example, b@y.example>', { name: 'Eve', address: '' }],
    ['"Eve\u0000\u001b[2J" <eve@x.example>', { name: 'Eve[2J', address: 'eve@x.example' }],
  ])('reads the sender %j safely', (value, expected) => {
    expect(summary({ From: value }).from).toEqual(expected);
  });

  it.each([
    ['Sat, 21 Nov 2026 10:00:00 +0100 (CET)', '2026-11-21T09:00:00.000Z'],
    ['yesterday', null],
    ['Sat, 99 Nov 2026 10:00:00 +0100', null],
    ['1 Jan 999999999 00:00:00 GMT', null],
  ])('reads the date %j as %j', (value, expected) => {
    expect(summary({ Date: value }).date?.toISOString() ?? null).toBe(expected);
  });

  it('puts a subject on one line and bounds it', () => {
    expect(summary({ Subject: 'a\r\nBcc: b\u0000c' }).subject).toBe('a Bcc: b c');
    expect(summary({ Subject: '𝄞'.repeat(5_000) }).subject.isWellFormed()).toBe(true);
    expect(summary({ Subject: 'x'.repeat(100_000) }).subject).toHaveLength(2_000);
  });

  it('limits the recipients', () => {
    const to = Array.from({ length: 3_000 }, (_, at) => `p${at}@x.io`).join();
    expect(summary({ To: to }).to).toHaveLength(1_000);
  });

  it('never fails on any content', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[<>"(),:;@=?QB\\ ]{0,80}$/));
    const names = fc.constantFrom('Message-ID', 'In-Reply-To', 'References', 'From', 'To', 'Subject', 'Date');
    fc.assert(
      fc.property(fc.array(fc.record({ name: names, value: text })), (headers) => {
        const read = getGmailSummary(headers);
        expect(getFingerprint(read, 1)).toHaveLength(64);
        expect(JSON.stringify(read).isWellFormed()).toBe(true);
      }),
    );
  });

  it('survives headers without names or values', () => {
    expect(getGmailSummary([{}, { name: 'Subject' }, { value: 'x' }]).subject).toBe('');
  });
});
