import fc from 'fast-check';
import { getImapFlags, getImapSummary } from './imap-summary';

const read = (...lines: string[]) => getImapSummary(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));

describe('The summary of a message', () => {
  it('has the decoded fields', async () => {
    expect(
      await read(
        'From: =?iso-8859-1?Q?J=FCrgen?= <j@example.com>',
        'To: "Doe, Jane" <jane@example.com>, team: a@example.com, b@example.com;',
        'Subject: =?utf-8?B?w5w=?=',
        ' =?utf-8?B?YmVy?=',
        'Message-ID: <a@b>',
        'In-Reply-To: <c@d>',
        'References: <e@f>',
        '\t<c@d>',
        'Date: Sat, 21 Nov 2026 10:00:00 +0100 (CET)',
      ),
    ).toEqual({
      messageId: '<a@b>',
      inReplyTo: '<c@d>',
      references: ['<e@f>', '<c@d>'],
      from: { name: 'Jürgen', address: 'j@example.com' },
      to: [
        { name: 'Doe, Jane', address: 'jane@example.com' },
        { name: '', address: 'a@example.com' },
        { name: '', address: 'b@example.com' },
      ],
      subject: 'Über',
      date: new Date('2026-11-21T09:00:00Z'),
    });
  });

  it.each([
    ['Message-ID: a@b', '<a@b>'],
    ['Message-ID: <a@b> (comment)', '<a@b>'],
    ['Message-ID: <a@b', '<a@b>'],
    ['Message-ID:', null],
    ['Message-ID: <>', null],
    ['X: y', null],
  ])('reads the id of %j as %j', async (line, messageId) => {
    expect((await read(line)).messageId).toBe(messageId);
  });

  it.each(['Date: yesterday', 'Date: ', 'Date: 32 Foo 2026 99:99:99'])('has no date for %j', async (line) => {
    expect((await read(line)).date).toBeNull();
  });

  it.each([
    '=?x-nonsense?B?w5w=?=',
    '=?utf-8?B?!!!?=',
    '=?utf-8?Q?=ZZ?=',
    '=?',
    '\xff\xfe',
    'a\0b',
    '=?utf-16?B?2AA=?=',
  ])('is text without control characters for the subject %j', async (subject) => {
    const found = (await read(`Subject: ${subject}`)).subject;
    expect(found.isWellFormed()).toBe(true);
    expect(found).not.toMatch(/\p{Cc}/u);
  });

  it('has a limited length', async () => {
    const { references } = await read(`References: ${Array.from({ length: 900 }, (_, n) => `<${n}@x>`).join(' ')}`);
    expect(references).toHaveLength(200);
    expect(references.at(-1)).toBe('<899@x>');
  });

  it('exists for any bytes', async () => {
    const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
    const fields = fc
      .array(
        fc.tuple(
          fc.constantFrom('From', 'To', 'Subject', 'Date', 'Message-ID', 'References'),
          fc.string({ unit: 'binary' }),
        ),
      )
      .map((all) => Buffer.from(all.map(([name, value]) => `${name}: ${value}\r\n`).join('')));
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, fields), async (raw) => {
        const summary = await getImapSummary(raw);
        expect(JSON.stringify(summary)).not.toContain('\\u0000');
        expect(await getImapSummary(raw)).toEqual(summary);
      }),
    );
  });

  it('recognises the flags in any spelling', () => {
    expect(getImapFlags(['\\Seen', '\\FLAGGED', '$Junk'])).toEqual({
      seen: true,
      answered: false,
      flagged: true,
      draft: false,
    });
    expect(getImapFlags(undefined)).toEqual({ seen: false, answered: false, flagged: false, draft: false });
  });
});
