import { buffer } from 'node:stream/consumers';
import { eventually } from '@testing';
import { type MessageRef } from '../port/changes';
import { listAttachmentParts } from './gmail-content';
import { type GmailPart } from './gmail-resources';
import { type GmailFixture, mail, openGmailFixture } from './testing/gmail-fixture';
import { refusals } from './testing/gmail-refusals';

describe('the attachments of a message', () => {
  const part = (mimeType: string, more: Partial<GmailPart> = {}): GmailPart => ({ mimeType, filename: '', ...more });
  const names = (payload: GmailPart) =>
    listAttachmentParts(payload).map(({ mimeType, filename }) => filename || mimeType);

  it('are the parts with a name, a disposition as attachment, or a type other than text', () => {
    const attachment = [{ name: 'CONTENT-DISPOSITION', value: 'Attachment; x=y' }];
    const payload = part('multipart/mixed', {
      parts: [
        part('multipart/alternative', { parts: [part('text/plain'), part('TEXT/HTML')] }),
        part('image/png', { filename: 'logo.png' }),
        part('text/plain', { headers: attachment }),
        part('text/calendar'),
        part('message/delivery-status'),
      ],
    });
    expect(names(payload)).toEqual(['logo.png', 'text/plain', 'text/calendar', 'message/delivery-status']);
  });

  it('do not include those of an attached message', () => {
    const inner = part('multipart/mixed', { parts: [part('image/png', { filename: 'inner.png' })] });
    const payload = part('multipart/mixed', {
      parts: [part('message/rfc822', { filename: 'old.eml', parts: [inner] })],
    });
    expect(names(payload)).toEqual(['old.eml']);
  });

  it('may be the whole message', () => {
    expect(names(part('application/pdf', { filename: 'a.pdf' }))).toEqual(['a.pdf']);
    expect(names(part('text/plain'))).toEqual([]);
    expect(names({})).toEqual([]);
  });

  it('are searched to a limited depth and number', () => {
    let nested = part('application/pdf', { filename: 'deep.pdf' });
    for (let depth = 0; depth < 5_000; depth++) nested = part('multipart/mixed', { parts: [nested] });
    expect(names(nested)).toEqual([]);
    const wide = part('multipart/mixed', { parts: Array.from({ length: 5_000 }, () => part('image/png')) });
    expect(names(wide)).toHaveLength(1_000);
  });
});

describe('reading a message of Gmail', () => {
  let gmail: GmailFixture;
  beforeEach(async () => {
    gmail = await openGmailFixture();
  });
  afterEach(() => gmail.close());

  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256));
  const deliver = (raw: Buffer): MessageRef => ({ folder: 'INBOX', id: gmail.mailbox.deliver(raw).id });
  const withFile = (): Buffer =>
    mail(
      { 'Content-Type': 'multipart/mixed; boundary=b' },
      [
        '--b\r\n\r\nSee the file.',
        '--b\r\nContent-Type: application/octet-stream; name=big.bin\r\nContent-Transfer-Encoding: base64\r\n',
        bytes.toString('base64'),
        '--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\ninline',
        '--b--',
      ].join('\r\n'),
    );

  it('returns the exact bytes', async () => {
    const raw = Buffer.concat([mail(), bytes]);
    const fetched = await gmail.session.fetchRaw(deliver(raw), { maxBytes: raw.length });
    expect(fetched.equals(raw)).toBe(true);
  });

  it('does not request a message with a too large estimated size', async () => {
    const ref = deliver(Buffer.concat([mail(), bytes]));
    await expect(gmail.session.fetchRaw(ref, { maxBytes: 1_000 })).rejects.toMatchObject({ failure: 'permanent' });
    expect(gmail.server.requests.map(({ query }) => query.get('format'))).toEqual(['minimal']);
  });

  it('stops when the message is larger than estimated', async () => {
    const ref = deliver(Buffer.concat([mail(), bytes]));
    gmail.server.trouble({ on: 'messages.get', fault: { reply: { status: 200, body: { sizeEstimate: 10 } } } });
    await expect(gmail.session.fetchRaw(ref, { maxBytes: 1_000 })).rejects.toMatchObject({ failure: 'permanent' });
  });

  it('reports that Gmail does not return the message', async () => {
    const ref = deliver(mail());
    gmail.server.trouble({ on: 'messages.get', fault: { reply: { status: 200, body: { id: ref.id } } }, times: 2 });
    await expect(gmail.session.fetchRaw(ref, { maxBytes: 9_999 })).rejects.toMatchObject({ failure: 'permanent' });
  });

  it('fails when the response is truncated', async () => {
    const ref = deliver(Buffer.concat([mail(), bytes]));
    const isRaw = ({ query }: { query: URLSearchParams }): boolean => query.get('format') === 'raw';
    gmail.server.trouble({ on: 'messages.get', fault: { lost: 'cut' }, when: isRaw });
    await expect(gmail.session.fetchRaw(ref, { maxBytes: 1e9 })).rejects.toMatchObject({ failure: 'temporary' });
  });

  it('lists its attachments with their sizes after decoding', async () => {
    expect(await gmail.session.listAttachments(deliver(withFile()))).toEqual([
      { index: 0, name: 'big.bin', contentType: 'application/octet-stream', size: bytes.length },
      { index: 1, name: '', contentType: 'text/plain', size: 6 },
    ]);
  });

  it('streams an attachment, whether separate or included in the message', async () => {
    const ref = deliver(withFile());
    const { content, ...about } = await gmail.session.fetchAttachment(ref, 0);
    expect(about).toMatchObject({ index: 0, name: 'big.bin', size: bytes.length });
    expect((await buffer(content)).equals(bytes)).toBe(true);
    expect((await buffer((await gmail.session.fetchAttachment(ref, 1)).content)).toString()).toBe('inline');
  });

  it('ends the stream with a MailError when the response is truncated', async () => {
    const ref = deliver(withFile());
    gmail.server.trouble({ on: 'attachments.get', fault: { lost: 'cut' } });
    const { content } = await gmail.session.fetchAttachment(ref, 0);
    await expect(buffer(content)).rejects.toMatchObject({ name: 'AppError', failure: 'temporary' });
  });

  it('ends the stream when the session is closed', async () => {
    const ref = deliver(withFile());
    const { content } = await gmail.session.fetchAttachment(ref, 0);
    await gmail.session.close();
    await expect(buffer(content)).rejects.toMatchObject({ failure: 'temporary', message: 'The session was closed' });
  });

  it('releases its connection when the stream is not read', async () => {
    const ref = deliver(withFile());
    for (let count = 0; count < 5; count++) {
      const { content } = await gmail.session.fetchAttachment(ref, 0);
      content.destroy();
      await eventually('the stream is over', () => content.closed);
    }
    expect(await gmail.session.listAttachments(ref)).toHaveLength(2);
  });

  it.each([
    ['the attachment', { on: 'attachments.get', fault: { reply: refusals.invalid('Invalid attachment token') } }],
    ['the message', { on: 'messages.get', fault: { reply: refusals.notFound() } }],
  ] as const)('reports before the stream starts that %s does not exist', async (_name, trouble) => {
    const ref = deliver(withFile());
    gmail.server.trouble(trouble);
    await expect(gmail.session.fetchAttachment(ref, 0)).rejects.toMatchObject({ failure: 'permanent' });
  });
});
