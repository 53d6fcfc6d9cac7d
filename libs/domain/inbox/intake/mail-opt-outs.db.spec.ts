import { SuppressionsService } from '@domain/suppressions';
import { InboxFixture } from '../testing/inbox-fixture';
import { type Written } from '../testing/inbox-records';
import { mail } from '../testing/mails';

const WROTE = 'On Tue, 24 Nov 2026 at 10:00, Grace <grace@senders.test> wrote:';
const OURS = '> Hello Ada,\n> to unsubscribe, write "remove me from your list".';

describe('an opt-out with a quote', () => {
  let inbox: InboxFixture;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
  });
  afterAll(() => inbox.close());
  beforeEach(() => inbox.fresh());

  const isSuppressed = (email: string) => inbox.get(SuppressionsService).isSuppressed(inbox.workspaceId, email);
  const answerTo = ({ send }: Written, text: string, headers = '') =>
    mail({ from: send.email, inReplyTo: send.messageId, text, headers });

  it('suppresses the person, wherever the quote begins', async () => {
    const answers = {
      'above@one.test': `Please remove me\n${WROTE}\n${OURS}`,
      'short@two.test': `Please remove me\nOn Tue, Grace wrote:\n${OURS}`,
      'address@three.test': `Please remove address@three.test\n${WROTE}\n${OURS}`,
      'digit@four.test': `2 words: remove me\n${WROTE}\n${OURS}`,
      'below@five.test': `${WROTE}\n${OURS}\n\nPlease remove me`,
      'signed@six.test': `Not for us.\n\nThanks,\nplease remove me\n\n${WROTE}\n${OURS}`,
    };
    const all = await inbox.allWritten(Object.keys(answers), await inbox.campaign());
    for (const [at, text] of Object.values(answers).entries()) await inbox.comes(answerTo(all[at] as Written, text));
    await inbox.arrives(mail({ from: 'nobody@seven.test', text: 'Hello' }));
    for (const one of all) {
      const { email } = one.send;
      const { stopReason } = await inbox.lead(one);
      expect([email, stopReason, await isSuppressed(email)]).toEqual([email, 'unsubscribed', true]);
    }
  });

  it('suppresses a person who replies below a flowed quote that ends with a blank', async () => {
    const written = await inbox.written('ada@acme.test');
    const raw = answerTo(written, '> Hello Ada, \n> shall we talk? \nPlease remove me');
    await inbox.arrives(raw.replace('charset=utf-8', 'charset=utf-8; format=flowed'));
    expect(await inbox.said()).toMatchObject([{ text: 'Please remove me' }]);
    expect(await isSuppressed('ada@acme.test')).toBe(true);
  });

  it('is not found in our own quoted email, with or without quote marks', async () => {
    const bare = OURS.replaceAll('> ', '');
    const answers = [
      `Which price?\n${WROTE}\n${OURS}`,
      `${WROTE}\n${OURS}`,
      `Hello\n${WROTE}\n${bare}`,
      `${WROTE}\n\n${bare}`,
    ];
    const emails = answers.map((_, at) => `lead@site${at}.test`);
    const all = await inbox.allWritten(emails, await inbox.campaign());
    for (const [at, text] of answers.entries()) await inbox.comes(answerTo(all[at] as Written, text));
    await inbox.arrives(mail({ from: 'nobody@seven.test', text: 'Hello' }));
    for (const one of all) {
      const { stopReason } = await inbox.lead(one);
      expect([stopReason, await isSuppressed(one.send.email)]).toEqual(['replied', false]);
    }
  });
});
