import PostalMime from 'postal-mime';
import { AppError } from '@platform/errors';
import { composeMessage, type MessageImage, type MessageInput } from './compose-message';

const base: MessageInput = {
  from: { name: 'Ada', address: 'ada@sender.test' },
  to: { name: 'Bob', address: 'bob@example.com' },
  subject: 'Figures',
  text: 'Figures',
  html: '<p><img src="cid:sent"></p>',
  messageId: '<1@sender.test>',
  date: new Date('2026-11-21T09:30:00Z'),
};
const image = (more: Partial<MessageImage> = {}): MessageImage => ({
  cid: 'sent',
  filename: 'sent.png',
  contentType: 'image/png',
  content: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 13, 10, 26]),
  ...more,
});

describe('the images of a message', () => {
  it('are embedded with the HTML byte by byte', async () => {
    const { raw } = await composeMessage({ ...base, images: [image(), image({ cid: 'a.b@c', filename: 'two.png' })] });
    const { attachments, html, text } = await PostalMime.parse(raw);
    expect(attachments.map(({ contentId, filename, disposition }) => [contentId, filename, disposition])).toEqual([
      ['<sent>', 'sent.png', 'inline'],
      ['<a.b@c>', 'two.png', 'inline'],
    ]);
    expect(Buffer.from(attachments[0]!.content as ArrayBuffer).equals(image().content)).toBe(true);
    expect([html?.trim(), text?.trim()]).toEqual([base.html, base.text]);
    // A client that shows the text need not load them: only the HTML uses them.
    expect(raw.toString()).toMatch(
      /multipart\/alternative[^]*text\/plain[^]*multipart\/related[^]*text\/html[^]*image\/png/,
    );
    expect(raw.toString('latin1').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it.each([
    ['cid', { cid: 'a>\r\nX-Evil: 1' }],
    ['cid', { cid: '' }],
    ['file name', { filename: '../../etc/passwd' }],
    ['file name', { filename: 'a"\r\nX-Evil: 1' }],
    ['file name', { filename: '' }],
  ])('are refused with an invalid %s: %j', async (_what, more) => {
    const refused = await composeMessage({ ...base, images: [image(more)] }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AppError);
    expect((refused as AppError).details).toMatchObject([{ field: 'images' }]);
  });
});
