import { parseMail } from './mail-parsing';
import { MAX_PART_CHARS, MAX_TEXT_CHARS } from './parsed-mail';
import { slimMail } from './mail-slimming';
import { rawMail, rawParts } from './testing/raw-mail';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('a valid mail', () => {
  it('is parsed with decoded header, text, HTML and parts', async () => {
    const mail = await parseMail(
      rawParts(
        {
          From: '=?utf-8?q?J=C3=B6rg?= <joerg@acme.test>',
          Subject: '=?iso-8859-1?Q?Gr=FC=DFe?=',
          Date: 'Mon, 3 Mar 2025 10:00:00 +0100',
          'Message-ID': '<m@acme.test>',
          'In-Reply-To': '<a@us.test>',
          References: '<x@us.test> <a@us.test>',
          'X-Thing': 'one',
          'x-thing': 'two',
        },
        'mixed',
        [
          ['text/plain; charset=utf-8', 'Hallo'],
          ['application/pdf; name="a.pdf"', 'binary'],
          ['message/rfc822', 'From: me@us.test\nTo: ada@acme.test\nSubject: Old\nMessage-ID: <a@us.test>\n\nBody'],
        ],
      ),
    );
    expect(mail).toMatchObject({
      from: { name: 'Jörg', address: 'joerg@acme.test' },
      to: [{ name: '', address: 'me@us.test' }],
      subject: 'Grüße',
      date: new Date('2025-03-03T09:00:00Z'),
      messageId: '<m@acme.test>',
      inReplyTo: '<a@us.test>',
      references: ['<x@us.test>', '<a@us.test>'],
      parts: [
        { contentType: 'application/pdf', fileName: 'a.pdf', text: null },
        { contentType: 'message/rfc822', text: expect.stringContaining('Subject: Old') },
      ],
      returned: { messageId: '<a@us.test>', subject: 'Old', to: [{ address: 'ada@acme.test' }] },
    });
    expect(mail.text.trim()).toBe('Hallo');
    expect(mail.headers.getAll('X-THING')).toEqual(['one', 'two']);
    expect(mail.headers.get('absent')).toBeNull();
  });

  it('without a text body returns the visible text of the HTML', async () => {
    const html =
      '<style>p{color:red}</style><p>Gr&uuml;&#223;e<br>user&nbsp;unknown</p><!-- <b>hidden</b> --><script>x()</script>';
    const mail = await parseMail(rawMail({ 'Content-Type': 'text/html; charset=utf-8' }, html));
    expect(mail.text).toBe('Grüße\nuser unknown');
  });
});

describe('a wrong charset', () => {
  const typed = (charset: string): string => `Subject: x\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n`;

  it.each([
    ['UTF-8 for Latin-1', Buffer.concat([latin1(typed('utf-8')), latin1('Empfänger ungültig')]), 'Empfänger ungültig'],
    ['Latin-1 for UTF-8', Buffer.from(`${typed('iso-8859-1')}Empfänger ungültig`), 'Empfänger ungültig'],
    ['ASCII for UTF-8', Buffer.from(`${typed('us-ascii')}用户不存在`), '用户不存在'],
    ['nonsense for UTF-8', Buffer.from(`${typed('x-martian')}用户不存在`), '用户不存在'],
    [
      'UTF-8 for GBK',
      Buffer.concat([latin1(typed('utf-8')), Buffer.from('d3c3bba7b2bbb4e6d4da', 'hex')]),
      '用户不存在',
    ],
    ['ASCII for ISO-2022-JP', latin1(`${typed('us-ascii')}\u001b$B%a!<%k\u001b(B`), 'メール'],
    ['UTF-8 for Cyrillic', Buffer.concat([latin1(typed('utf-8')), Buffer.from('cff0e8e2e5f2', 'hex')]), 'Привет'],
  ])('of %s is detected', async (_, raw, text) => {
    expect((await parseMail(raw)).text.trim()).toBe(text);
  });
});

describe('broken MIME', () => {
  it.each([
    [
      'the boundary is not announced',
      'Content-Type: multipart/mixed\n\n--aaaaaaaa\nContent-Type: text/plain\n\nHello\n--aaaaaaaa--\n',
    ],
    [
      'another boundary is announced',
      'Content-Type: multipart/mixed; boundary=other\n\n--aaaaaaaa\nContent-Type: text/plain\n\nHello\n--aaaaaaaa--\n',
    ],
    ['the end is missing', 'Content-Type: multipart/mixed; boundary=aa\n\n--aa\nContent-Type: text/plain\n\nHello'],
    [
      'the type has no semicolon',
      'Content-Type: multipart/mixed; boundary=aa\n\n--aa\nContent-Type: text/plain\n   charset="utf-8"\n\nHello\n--aa--\n',
    ],
    [
      'lines end with a carriage return alone',
      'Subject: x\nContent-Type: text/plain\n\nHello\n'.replaceAll('\n', '\r'),
    ],
    ['an mbox line stands first', 'From me@us.test Mon Mar  3 10:00:00 2025\nSubject: x\n\nHello\n'],
    ['there is no header', '\nHello\n'],
    ['base64 is cut', `Content-Transfer-Encoding: base64\n\n${Buffer.from('Hello').toString('base64').slice(0, 7)}`],
  ])('is still parsed when %s', async (_, raw) => {
    expect((await parseMail(Buffer.from(raw))).text.trim()).toBe('Hello');
  });
});

describe('a mail bomb', () => {
  const nested = (depth: number): string =>
    Array.from({ length: depth }, (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\n\n--b${at}\n`).join('');

  it.each([
    ['of one long line', `Subject: x\n\n${'a'.repeat(2_000_000)}`],
    ['of empty lines', `Subject: x\n\n${'\n'.repeat(2_000_000)}`],
    ['of nested parts', `Subject: x\n${nested(5_000)}`],
    ['of nested messages', `Subject: x\n${'Content-Type: message/rfc822\n\n'.repeat(5_000)}`],
    [
      'of many parts',
      `Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n${'--b\nContent-Type: text/csv\n\na\n'.repeat(50_000)}`,
    ],
    ['of encoded words', `Subject: x\nTo: ${'=?utf-8?q?a?= '.repeat(100_000)}\n\nhi`],
  ])('%s is parsed partially, within limits', async (_, raw) => {
    const mail = await parseMail(Buffer.from(raw));
    expect(mail.subject).toBe('x');
    expect(mail.text.length).toBeLessThanOrEqual(MAX_TEXT_CHARS);
    expect(mail.parts.length).toBeLessThanOrEqual(200);
    for (const { text } of mail.parts) expect(text?.length ?? 0).toBeLessThanOrEqual(MAX_PART_CHARS);
  });

  it('with 10 000 headers keeps the relevant fields at any position', async () => {
    const junk = Array.from({ length: 10_000 }, (_, at) => `X-Junk-${at}: ${'v'.repeat(80)}`).join('\n');
    const mail = await parseMail(
      Buffer.from(`${junk}\nFrom: ada@acme.test\nSubject: Late\nAuto-Submitted: auto-replied\n\nHello`),
    );
    expect(mail).toMatchObject({ subject: 'Late', from: { address: 'ada@acme.test' } });
    expect(mail.headers.get('auto-submitted')).toBe('auto-replied');
    expect(mail.headers.names().length).toBeLessThan(2_100);
    expect(mail.text.trim()).toBe('Hello');
  });

  it('with a large attachment is cheap: the attachment is cut, and later parts are parsed', () => {
    const attachment = `--b\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\n${'QUJD\n'.repeat(400_000)}`;
    const raw = `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n${attachment}--b\nContent-Type: message/delivery-status\n\nStatus: 5.1.1\n--b--\n`;
    const slim = slimMail(Buffer.from(raw));
    expect(slim.length).toBeLessThan(4_096);
    expect(slim.toString()).toContain('Status: 5.1.1');
  });
});

it('a short mail stays unchanged byte for byte', () => {
  const raw = rawParts({ Subject: 'x' }, 'mixed', [
    ['text/plain', 'Hello'],
    ['text/html', '<p>Hello</p>'],
  ]);
  expect(slimMail(raw)).toEqual(raw);
});
