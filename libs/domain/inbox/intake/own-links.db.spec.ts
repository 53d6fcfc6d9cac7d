import { TrackingTokenService } from '@domain/tracking';
import { InboxFixture } from '../testing/inbox-fixture';
import { type Written } from '../testing/inbox-records';
import { mail } from '../testing/mails';

const ADA = 'ada@acme.test';

describe('an answer', () => {
  let inbox: InboxFixture;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
    await inbox.fresh();
  });
  afterAll(() => inbox.close());

  const answerTo = ({ send }: Written, text: string, more: Partial<Parameters<typeof mail>[0]> = {}) =>
    mail({ from: `Ada <${ADA}>`, inReplyTo: send.messageId, text, ...more });

  it('is stored without the links of the quoted email, so that a reader cannot unsubscribe the lead', async () => {
    const written = await inbox.written(ADA);
    const sendId = written.send._id.toHexString();
    const url = `https://go.test/u/${inbox.get(TrackingTokenService).unsubscribe(sendId)}`;
    const wrapped = `https://safe.test/?url=${encodeURIComponent(url)}`;
    const html =
      `<p>Hello ${url}</p><blockquote>On Tue, Grace wrote:<br>First <a href="${wrapped}">Unsubscribe</a> ` +
      `or at ${url}</blockquote>`;
    const text = `Hello ${url}\n\nOn Tue, Grace wrote:\n> First\n> Unsubscribe: ${url}`;
    await inbox.arrives(answerTo(written, text));
    await inbox.arrives(
      answerTo(written, html, { headers: 'Content-Type: text/html\n' }).replace(/^Content-Type: text\/plain.*\n/m, ''),
    );
    const kept = JSON.stringify([await inbox.conversations(), await inbox.said(), await inbox.events()]);
    expect(kept).not.toContain('/u/');
    expect(kept).not.toContain('%2Fu%2F');
    const [plain, rich] = await inbox.said();
    expect(plain).toMatchObject({
      text: 'Hello [link removed]',
      fullText: expect.stringContaining('> Unsubscribe: [link removed]'),
    });
    expect(rich?.html).toMatch(/Hello \[link removed\].*>Unsubscribe<.* or at \[link removed\]/s);
  });
});
