import { rounds } from '@testing';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { AppError } from '@platform/errors';
import { parseEmailAddress } from '@platform/validation';
import { composeMessage, type MessageInput } from './compose-message';

const base: MessageInput = {
  from: { name: 'Ada Lovelace', address: 'ada@sender.test' },
  to: { name: 'Bob', address: 'bob@example.com' },
  subject: 'Good morning',
  text: 'Hello Bob',
  html: '<p>Hello Bob</p>',
  messageId: '<65f0c0ffee@sender.test>',
  date: new Date('2026-11-21T09:30:00Z'),
};

const HEADERS = ['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-type'].sort();

async function compose(changes: Partial<MessageInput> = {}) {
  const message = await composeMessage({ ...base, ...changes });
  const text = message.raw.toString('latin1');
  const head = text.slice(0, text.indexOf('\r\n\r\n'));
  const fields = head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
  return { message, text, head, fields: fields.sort(), parsed: await PostalMime.parse(message.raw) };
}

async function refusedField(changes: Partial<MessageInput>): Promise<string> {
  const error = await composeMessage({ ...base, ...changes }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AppError);
  expect((error as AppError).code).toBe('VALIDATION_ERROR');
  return (error as AppError).details?.[0]?.field ?? '';
}

describe('composeMessage', () => {
  it('writes sender, recipient, subject, date, id and both bodies', async () => {
    const { message, parsed, fields } = await compose();
    expect(message.envelope).toEqual({ from: 'ada@sender.test', to: 'bob@example.com' });
    expect(message.messageId).toBe('<65f0c0ffee@sender.test>');
    expect(fields).toEqual(HEADERS);
    expect(parsed).toMatchObject({
      from: { name: 'Ada Lovelace', address: 'ada@sender.test' },
      to: [{ name: 'Bob', address: 'bob@example.com' }],
      subject: 'Good morning',
      messageId: '<65f0c0ffee@sender.test>',
      date: '2026-11-21T09:30:00.000Z',
    });
    expect(parsed.text?.trim()).toBe('Hello Bob');
    expect(parsed.html?.trim()).toBe('<p>Hello Bob</p>');
  });

  it('adds a follow-up to its thread', async () => {
    const { parsed, fields } = await compose({
      replyTo: { name: 'Sales, "EU"', address: 'sales@sender.test' },
      inReplyTo: '<two@example.com>',
      references: ['<one@example.com>', '<two@example.com>'],
    });
    expect(fields).toEqual([...HEADERS, 'in-reply-to', 'references', 'reply-to'].sort());
    expect(parsed.inReplyTo).toBe('<two@example.com>');
    expect(parsed.references).toBe('<one@example.com> <two@example.com>');
    expect(parsed.replyTo).toEqual([{ name: 'Sales, "EU"', address: 'sales@sender.test' }]);
  });

  it('writes List-Unsubscribe unchanged, even when it is long', async () => {
    const url = `<https://t.sender.test/u/${'a'.repeat(400)}?x="1">`;
    const { parsed } = await compose({
      headers: {
        'List-Unsubscribe': url,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'X-Campaign': 'Grüße',
      },
    });
    const valueOf = (key: string) => parsed.headers.find((header) => header.key === key)?.value;
    expect(valueOf('list-unsubscribe')).toBe(url);
    expect(valueOf('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(valueOf('x-campaign')).toBe('=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=');
  });

  it('accepts one body alone and refuses a message without a body', async () => {
    expect((await compose({ text: '' })).parsed.html?.trim()).toBe('<p>Hello Bob</p>');
    expect((await compose({ html: undefined })).parsed.text?.trim()).toBe('Hello Bob');
    expect(await refusedField({ text: undefined, html: '' })).toBe('text');
  });

  it('does not load content from a body of another type', async () => {
    const html = { path: '/etc/hostname' } as unknown as string;
    await expect(composeMessage({ ...base, html })).rejects.toThrow(/./);
  });

  it('writes domains in A-labels and keeps local parts beyond ASCII', async () => {
    const idn = await compose({ to: { name: '', address: 'Bob@Bücher.Example' } });
    expect(idn.message.envelope.to).toBe('Bob@xn--bcher-kva.example');
    expect(idn.head).toContain('To: Bob@xn--bcher-kva.example');
    const eai = await compose({ to: { name: 'Ünal', address: 'ünal@bücher.example' } });
    expect(eai.message.envelope.to).toBe('ünal@xn--bcher-kva.example');
    expect(eai.parsed.to).toHaveLength(1);
  });

  it.each([
    ['a comma', 'bob@example.com,eve@evil.test'],
    ['a comma in the local part', 'bob,eve@evil.test'],
    ['a semicolon', 'bob@example.com;eve@evil.test'],
    ['a group', 'team:bob@example.com,eve@evil.test;'],
    ['angle brackets', 'bob@example.com> <eve@evil.test'],
    ['a name inside', 'Bob <bob@example.com>'],
    ['a quoted local part', '"bob,eve"@example.com'],
    ['two at signs', 'bob@example.com@evil.test'],
    ['a line break', 'bob@example.com\r\nRCPT TO:<eve@evil.test>'],
    ['a line feed in the local part', 'bob\nBcc: eve@evil.test@example.com'],
    ['a NUL', 'bob\0@example.com'],
    ['a space', 'bob eve@example.com'],
    ['a space beyond ASCII', 'bob\u00a0eve@example.com'],
    ['a right-to-left override', 'bob\u202eeve@example.com'],
    ['a zero-width space', 'bob\u200b@example.com'],
    ['a line separator', 'bob\u2028@example.com'],
    ['a lone surrogate', 'bob\ud800@example.com'],
    ['a source route', '@evil.test:bob@example.com'],
    ['a bang and a percent route to nowhere', 'bob@'],
    ['no local part', '@example.com'],
    ['no at sign', 'bob'],
    ['nothing', ''],
    ['dots at the ends', '.bob.@example.com'],
    ['two dots', 'b..ob@example.com'],
    ['a comment', 'bob(eve)@example.com'],
    ['an IP literal', 'bob@[127.0.0.1]'],
    ['an IP address', 'bob@127.0.0.1'],
    ['a short IP address', 'bob@127.1'],
    ['a domain that maps to a slash', 'bob@\u2100.example'],
    ['an underscore in the domain', 'bob@ex_ample.com'],
    ['a port', 'bob@example.com:25'],
    ['an escaped domain', 'bob@ex%61mple.com'],
    ['a hyphen at the end of a label', 'bob@example-.com'],
    ['a long local part', `${'b'.repeat(65)}@example.com`],
    ['a long domain', `bob@${'a.'.repeat(125)}example.com`],
    ['a backslash', 'bob\\@example.com'],
  ])('refuses an address with %s in each address field', async (_what, address) => {
    expect(await refusedField({ to: { name: 'Bob', address } })).toBe('to.address');
    expect(await refusedField({ from: { name: 'Ada', address } })).toBe('from.address');
    expect(await refusedField({ replyTo: { name: '', address } })).toBe('replyTo.address');
  });

  it.each([
    'eve@evil.test, Bob',
    'Bob" <eve@evil.test>, "x',
    "O'Brien; eve@evil.test",
    'group: eve@evil.test;',
    'Bob <eve@evil.test>',
    'back\\slash\\',
    '(comment)',
    'أحمد العلي',
    'עברית <eve@evil.test>',
    'Zoë 🚀',
    'a\u202eb',
    'x'.repeat(200),
    'é'.repeat(200),
  ])('writes the name %j for one recipient only', async (name) => {
    const { parsed, fields } = await compose({ to: { name, address: 'bob@example.com' } });
    expect(parsed.to).toEqual([{ name, address: 'bob@example.com' }]);
    expect(fields).toEqual(HEADERS);
  });

  it.each([
    ['a line break', 'Bob\r\nBcc: eve@evil.test'],
    ['a line feed', 'Bob\nBob'],
    ['a NUL', 'Bob\0'],
    ['a paragraph separator', 'Bob\u2029'],
    ['an encoded word', '=?utf-8?Q?eve=40evil.test=2C?='],
    ['too many characters', 'x'.repeat(201)],
  ])('refuses a name with %s', async (_what, name) => {
    expect(await refusedField({ to: { name, address: 'bob@example.com' } })).toBe('to.name');
    expect(await refusedField({ from: { name, address: 'bob@example.com' } })).toBe('from.name');
  });

  it.each([
    ['a line break', 'a\r\nBcc: eve@evil.test'],
    ['a line feed', 'a\nb'],
    ['a NUL', 'a\0b'],
    ['a tab', 'a\tb'],
    ['a line separator', 'a\u2028b'],
    ['too many characters', 'x '.repeat(600)],
    ['too long a word', 'x'.repeat(950)],
  ])('refuses a subject with %s', async (_what, subject) => {
    expect(await refusedField({ subject })).toBe('subject');
  });

  it.each([
    '=?utf-8?Q?hi?=',
    '=?utf-8?B?DQpCY2M6IGV2ZQ==?= and "more"',
    'Grüße =?x',
    'שלום',
    '"quoted"',
    'x '.repeat(400),
  ])('shows the subject %j as it was written', async (subject) => {
    const { parsed, fields, head } = await compose({ subject });
    expect(parsed.subject).toBe(subject.trim());
    expect(fields).toEqual(HEADERS);
    expect(head).not.toContain('=?utf-8?');
  });

  it.each([
    'From',
    'to',
    'CC',
    'Bcc',
    'Subject',
    'Date',
    'Message-ID',
    'MIME-Version',
    'Content-Type',
    'content-x',
    'Sender',
  ])('refuses %s among the extra headers', async (name) => {
    expect(await refusedField({ headers: { [name]: 'x' } })).toBe(`headers.${name}`);
  });

  it.each([
    ['X-A', 'a\r\nBcc: eve@evil.test', 'headers.X-A'],
    ['X-A', 'a\rb', 'headers.X-A'],
    ['X-A', ' ', 'headers.X-A'],
    ['X-A', 'x'.repeat(2_001), 'headers.X-A'],
    ['X-A', 'x'.repeat(901), 'headers.X-A'],
    ['List-Unsubscribe', '<https://bücher.example>', 'headers.List-Unsubscribe'],
    ['X-A: b\r\nBcc', 'x', 'headers.?'],
    ['X A', 'x', 'headers.?'],
    ['', 'x', 'headers.?'],
    ['__proto__', 'x', 'headers.?'],
    ['Resent-To', 'x@y.test', 'headers.Resent-To'],
  ])('refuses the extra header %j: %j', async (name, value, field) => {
    expect(await refusedField({ headers: Object.fromEntries([[name, value]]) })).toBe(field);
  });

  it('refuses the same extra header in two spellings', async () => {
    expect(await refusedField({ headers: { 'X-A': '1', 'x-a': '2' } })).toBe('headers.x-a');
  });

  it.each(['x@y', '<x>', '<x@y', '<a b@c>', '<a@b>\r\nBcc: x@y', '<a@b> <c@d>', '<ü@y>'])(
    'refuses the message id %j',
    async (messageId) => {
      expect(await refusedField({ messageId })).toBe('messageId');
    },
  );

  it('refuses foreign ids that would break their line, and an invalid date', async () => {
    expect(await refusedField({ inReplyTo: '<a@b>\r\nBcc: x@y' })).toBe('inReplyTo');
    expect(await refusedField({ references: ['<a@b>', 'c@d'] })).toBe('references');
    expect(await refusedField({ date: new Date(Number.NaN) })).toBe('date');
  });

  it('keeps the first and the newest of many references', async () => {
    const references = Array.from({ length: 300 }, (_, index) => `<${index}@example.com>`);
    const ids = (await compose({ references })).parsed.references?.split(' ');
    expect(ids).toHaveLength(100);
    expect(ids?.slice(0, 2)).toEqual(['<0@example.com>', '<201@example.com>']);
  });

  it('writes CRLF everywhere, short lines, and 7-bit bytes', async () => {
    const { text } = await compose({ text: 'one\ntwo\rthree\r\n.four\0\u0007', html: `<p>${'ü'.repeat(5_000)}</p>` });
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThan(998);
    // oxlint-disable-next-line no-control-regex
    expect(text).toMatch(/^[\x01-\x7f]*$/);
  });

  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(
        fc.constantFrom(
          '\r',
          '\n',
          ',',
          ';',
          ':',
          '"',
          '<',
          '>',
          '@',
          '(',
          '=?',
          '?=',
          '\\',
          ' ',
          'a',
          'é',
          '\u202e',
          '\0',
          'Bcc: ',
          'x@y.test',
        ),
        {
          maxLength: 20,
        },
      )
      .map((parts) => parts.join('')),
  );

  it('never creates a second recipient or header from any name, address, subject or header', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, anyText, anyText, async (name, address, subject, value) => {
        const changes = { from: { name, address: base.from.address }, subject, headers: { 'X-A': value } };
        for (const to of [
          { name, address },
          { name, address: base.to.address },
        ]) {
          let composed: Awaited<ReturnType<typeof compose>>;
          try {
            composed = await compose({ ...changes, to });
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
            continue;
          }
          const { parsed, fields } = composed;
          expect(parsed.to).toHaveLength(1);
          expect(parsed.to?.[0]?.name).toBe(name.trim());
          expect(parsed.from).toEqual({ name: name.trim(), address: base.from.address });
          expect(parsed.subject ?? '').toBe(subject.replace(/ +/g, ' ').trim());
          expect(fields).toEqual([...HEADERS.filter((field) => field !== 'subject' || parsed.subject), 'x-a'].sort());
        }
      }),
      { numRuns: rounds(300) },
    );
  });

  const addressParts = fc.constantFrom(
    'a',
    '1',
    '.',
    '-',
    '+',
    '=?',
    '?=',
    '%',
    "'",
    '/',
    'ü',
    'ß',
    '①',
    '。',
    'א',
    '"',
    '<',
    ',',
  );
  const nearAddress = fc
    .tuple(fc.array(addressParts, { maxLength: 6 }), fc.array(addressParts, { maxLength: 6 }))
    .map(([local, domain]) => `a${local.join('')}@b${domain.join('')}.com`);

  it('composes a message for every address that the platform accepts, as sender, recipient and Message-ID domain', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(nearAddress, async (text) => {
        const parsed = parseEmailAddress(text);
        if (!parsed.ok) return;
        taken += 1;
        const one = { name: '', address: parsed.address };
        const composed = await compose({ from: one, to: one, replyTo: one, messageId: `<1@${parsed.domain}>` });
        expect(composed.message.envelope).toEqual({ from: parsed.address, to: parsed.address });
        expect(composed.parsed).toMatchObject({
          from: one,
          to: [one],
          replyTo: [one],
          messageId: `<1@${parsed.domain}>`,
        });
      }),
      { numRuns: rounds(500, 250) },
    );
    expect(taken).toBeGreaterThan(rounds(20, 5));
  });

  it('preserves bodies except for line ends', async () => {
    const lines = (body: string) => body.toWellFormed().replace(/\r\n|\r|\n/g, '\n');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), fc.boolean(), async (body, long) => {
        const text = `x${body}${long ? body.repeat(40) : ''}\n.\r\nx`;
        const { parsed, text: wire } = await compose({ text });
        expect(parsed.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(lines(text));
        expect(wire.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      }),
      { numRuns: 100 },
    );
  });
});
