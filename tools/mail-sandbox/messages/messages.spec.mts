import PostalMime, { type Email } from 'postal-mime';
import { bounce, BOUNCE_FORMATS, BOUNCE_REASONS, delayNotice, DELAY_FORMATS } from './bounce.mts';
import { complaint } from './complaint.mts';
import { message, multipart, text } from './mime.mts';
import { OOO_LANGUAGES, outOfOffice, returnDate } from './out-of-office.mts';
import { createCopy, readOriginal, type Making, type Original } from './original.mts';
import { reply, SENTIMENTS, STYLES } from './reply.mts';

const making: Making = { now: new Date('2026-11-21T08:00:00Z'), id: 'abcdef0123456789abcd' };
const RECIPIENT = 'prospect.one@prospects.test';

function campaignMail(): Buffer {
  return message(
    [
      ['From', 'Jürgen Sender <me@sender.test>'],
      ['To', RECIPIENT],
      ['Subject', 'Größe zählt'],
      ['Message-ID', '<step1.42@sender.test>'],
      ['References', '<step0.42@sender.test>'],
      ['Date', 'Mon, 16 Nov 2026 10:12:00 +0000'],
    ],
    multipart('alternative', 'b', [
      text('plain', 'Hallo Größe,\nlook: https://t.sender.test/1'),
      text('html', '<html><body><p>Hallo</p><img src="https://t.sender.test/p.gif"></body></html>'),
    ]),
  );
}

async function parsed(raw: Buffer): Promise<Email & { head: (name: string) => string | undefined }> {
  const email = await PostalMime.parse(raw, { forceRfc822Attachments: true });
  return { ...email, head: (name) => email.headers.find(({ key }) => key === name)?.value };
}

function partsOf(email: Email): Record<string, string> {
  const content = (one: string | ArrayBuffer | Uint8Array): string =>
    typeof one === 'string' ? one : Buffer.from(one as Uint8Array).toString();
  return Object.fromEntries(email.attachments.map((one) => [one.mimeType, content(one.content)]));
}

describe('messages of prospects', () => {
  let original: Original;
  beforeAll(async () => {
    original = await readOriginal(campaignMail(), 'bounces@sender.test', RECIPIENT);
  });

  it('use sender, thread and both bodies of the original', () => {
    expect(original).toMatchObject({
      fromName: 'Jürgen Sender',
      replyTo: 'me@sender.test',
      subject: 'Größe zählt',
      messageId: '<step1.42@sender.test>',
      references: ['<step0.42@sender.test>'],
      date: new Date('2026-11-16T10:12:00Z'),
    });
    expect(original.text).toContain('Hallo Größe');
  });

  describe.each(STYLES)('a reply from %s', (style) => {
    it.each(SENTIMENTS)('with the sentiment %s continues the thread and quotes the history', async (sentiment) => {
      const email = await parsed(reply(original, { sentiment, style, other: false }, making));
      expect(email.from?.address).toBe(RECIPIENT);
      expect(email.to?.[0]).toMatchObject({ address: 'me@sender.test', name: 'Jürgen Sender' });
      expect(email.subject).toBe('Re: Größe zählt');
      expect(email.inReplyTo).toBe('<step1.42@sender.test>');
      expect(email.references).toBe('<step0.42@sender.test> <step1.42@sender.test>');
      expect(email.messageId).toMatch(/^<[^<>\s@]+@prospects\.test>$/);
      expect(email.head('auto-submitted')).toBeUndefined();
      expect(email.text).toContain('Hallo Größe');
      expect(email.html).toContain('t.sender.test/p.gif');
    });
  });

  it.each([
    ['gmail', /^On Mon, Nov 16, 2026 at 10:12\sAM/m, 'class="gmail_quote'],
    ['outlook', /^Sent: Monday, November 16, 2026 10:12\sAM/m, 'id="divRplyFwdMsg"'],
    ['apple', /^> On 16 Nov 2026, at 10:12, /m, '<blockquote type="cite">'],
  ] as const)('quote like %s', async (style, line, mark) => {
    const email = await parsed(reply(original, { sentiment: 'neutral', style, other: false }, making));
    expect(email.text).toMatch(line);
    expect(email.html).toContain(mark);
  });

  it('may come from another address of the same person', async () => {
    const email = await parsed(reply(original, { sentiment: 'positive', style: 'gmail', other: true }, making));
    expect(email.from?.address).toBe('prospectone.private@mail.prospects.test');
    expect(email.inReplyTo).toBe('<step1.42@sender.test>');
  });

  it.each(OOO_LANGUAGES)(
    'out of office in %s contain the return date and go to the envelope sender',
    async (language) => {
      const email = await parsed(outOfOffice(original, { language, bare: false }, making));
      expect(email.to?.[0]?.address).toBe('bounces@sender.test');
      expect(email.head('auto-submitted')).toMatch(/^auto-(?:replied|generated)/);
      expect(email.head('return-path')).toBe('<>');
      expect(email.inReplyTo).toBe('<step1.42@sender.test>');
      const back = returnDate(RECIPIENT, making.now);
      expect(email.text).toContain(String(back.getUTCDate()));
      expect(email.text).toContain('2026');
      expect(email.subject).toContain('Größe zählt');
    },
  );

  it('have no automatic marks when an old system writes them', async () => {
    const email = await parsed(outOfOffice(original, { language: 'de', bare: true }, making));
    for (const name of ['auto-submitted', 'precedence', 'x-autoreply']) expect(email.head(name)).toBeUndefined();
  });

  it('exist in at least seven languages', () => {
    expect(OOO_LANGUAGES.length).toBeGreaterThanOrEqual(7);
  });
});

describe('reports of mail systems', () => {
  let original: Original;
  beforeAll(async () => {
    original = await readOriginal(campaignMail(), 'bounces@sender.test', RECIPIENT);
  });

  describe.each(BOUNCE_FORMATS)('a bounce from %s', (format) => {
    it.each(BOUNCE_REASONS)('(%s) names the recipient and the reason and has an empty sender', async (reason) => {
      const raw = bounce(original, format, reason, making);
      const email = await parsed(raw);
      expect(email.head('return-path')).toBe('<>');
      expect(email.to?.[0]?.address).toBe('bounces@sender.test');
      expect(email.text).toContain(RECIPIENT);
      expect(raw.toString('latin1')).toMatch(/5\.(?:1\.1|1\.10|1\.2|2\.2|7\.1)/);
      expect(raw.toString('latin1')).toContain('<step1.42@sender.test>');
    });
  });

  it.each(['postfix', 'exchange', 'gmail'] as const)('of %s are RFC 3464 reports', async (format) => {
    const email = await parsed(bounce(original, format, 'unknown', making));
    expect(email.head('content-type')).toContain('report-type=delivery-status');
    const parts = partsOf(email);
    const status = parts['message/delivery-status']!;
    // The fields of the message, an empty line, the fields of the recipient.
    expect(status.replace(/\r/g, '')).toMatch(/^Reporting-MTA: [\s\S]+\n\nFinal-Recipient: rfc822; ?prospect\.one@/);
    expect(status).toMatch(/Action: failed/);
    expect(status).toMatch(/Status: 5\.1\.(?:1|10)\b/);
    expect(parts['message/rfc822']).toContain('Message-ID: <step1.42@sender.test>');
  });

  it.each(['qmail', 'exim'] as const)('of %s are free text with a copy of the message', async (format) => {
    const email = await parsed(bounce(original, format, 'full', making));
    expect(email.head('content-type')).toMatch(/^text\/plain/);
    expect(email.text).toContain('552 5.2.2');
    expect(email.text).toContain('Message-ID: <step1.42@sender.test>');
  });

  it('are marked as automatic by all but qmail', async () => {
    for (const format of BOUNCE_FORMATS) {
      const email = await parsed(bounce(original, format, 'unknown', making));
      expect(email.head('auto-submitted')).toBe(format === 'qmail' ? undefined : 'auto-replied');
    }
  });

  it.each(DELAY_FORMATS)('of a delay in the wording of %s are no failures', async (format) => {
    const raw = delayNotice(original, format, making);
    const email = await parsed(raw);
    const status = partsOf(email)['message/delivery-status'];
    expect(status ?? 'Action: delayed').toContain('Action: delayed');
    expect(raw.toString()).not.toContain('Action: failed');
    expect(email.text).toContain(RECIPIENT);
  });

  it('of a complaint are ARF with the message attached', async () => {
    const email = await parsed(complaint(original, making));
    expect(email.head('content-type')).toContain('report-type=feedback-report');
    const parts = partsOf(email);
    expect(parts['message/feedback-report']).toContain('Feedback-Type: abuse');
    expect(parts['message/feedback-report']).toContain(`Original-Rcpt-To: <${RECIPIENT}>`);
    expect(parts['message/rfc822']).toContain('<step1.42@sender.test>');
  });

  it('contain bytes beyond ASCII unchanged, and only the beginning of a huge message', async () => {
    const raw = Buffer.concat([
      Buffer.from('Subject: x\r\n\r\n'),
      Buffer.from([0xe4, 0xff, 0x80]),
      Buffer.alloc(300_000, 65),
    ]);
    const huge = await readOriginal(raw, 'b@sender.test', RECIPIENT);
    const made = bounce(huge, 'postfix', 'unknown', making);
    expect(made.includes(Buffer.from([0xe4, 0xff, 0x80]))).toBe(true);
    expect(made.length).toBeLessThan(110_000);
    expect(createCopy(huge)).toHaveLength(100_000);
  });
});

describe('building MIME', () => {
  it('encodes any text with quoted-printable and encoded words', async () => {
    const words = `${'ü'.repeat(200)} = \t\n trailing \n\n😀 a.${'x'.repeat(300)}`;
    const email = await parsed(message([['Subject', `${'Zürich 😀 '.repeat(20)}end`]], text('plain', words)));
    expect(email.text?.trimEnd()).toBe(words);
    expect(email.subject).toBe(`${'Zürich 😀 '.repeat(20)}end`);
  });

  it('allows no header injection', async () => {
    const email = await parsed(message([['Subject', 'x\r\nBcc: evil@x.test']], text('plain', '')));
    expect(email.headers.map(({ key }) => key)).not.toContain('bcc');
  });
});
