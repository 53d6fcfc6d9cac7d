import { CampaignStatusService, CampaignsService } from '@domain/campaigns';
import { SuppressionsService } from '@domain/suppressions';
import { InboxFixture } from '../testing/inbox-fixture';
import { type Written } from '../testing/inbox-records';
import { bounce, complaint, mail } from '../testing/mails';

const OPT_OUT = 'Please remove me from your mailing list.';

describe('a reply to an email whose campaign was deleted', () => {
  let inbox: InboxFixture;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
  });
  afterAll(() => inbox.close());

  const isSuppressed = (email: string) => inbox.get(SuppressionsService).isSuppressed(inbox.workspaceId, email);
  const clear = () => inbox.get(CampaignsService).eraseDeleted(new AbortController().signal);
  const answer = ({ send }: Written, text: string, from: string = send.email) =>
    mail({ from, inReplyTo: send.messageId, text });
  const conversationsOf = async (email: string) =>
    (await inbox.conversations()).filter((conversation) => conversation.email === email);

  describe.each([
    ['before its leads are erased', () => Promise.resolve()],
    ['after its leads were erased', clear],
  ])('%s', (_when, erased) => {
    const people = ['ann', 'going', 'leaving', 'again', 'colleague', 'away', 'nobody', 'spam'] as const;
    /** The emails to each of them, of a deleted campaign. */
    let written: Record<(typeof people)[number], Written>;
    /** Of a campaign that continues. */
    let again: Written;

    beforeAll(async () => {
      await inbox.fresh();
      const campaignId = await inbox.campaign();
      const emails = people.map((name) => `${name}@${name}.test`);
      const all = await inbox.allWritten(emails, campaignId);
      written = Object.fromEntries(people.map((name, index) => [name, all[index]])) as typeof written;
      await inbox.arrives(answer(written.going, 'Hello'));
      await inbox.get(CampaignStatusService).pause(inbox.workspace, campaignId);
      await inbox.get(CampaignsService).delete(inbox.workspace, campaignId);
      await erased();
      again = await inbox.written('again@again.test');
      const [first, second] = [inbox.mailbox, await inbox.connected()];
      const colleague = await inbox.connected();
      const unknown = { status: '5.1.1', diagnostic: '550 5.1.1 User unknown' };
      const out = { headers: 'Auto-Submitted: auto-replied\n', text: 'I am currently out of the office.' };
      const { ann, going, leaving, away, nobody, spam } = written;
      const others = 'References: <other@ann.test>\n';
      await inbox.comes(answer(ann, 'Hello', 'boss@other.test'));
      await inbox.comes(mail({ from: ann.send.email, text: 'Hello?', inReplyTo: ann.send.messageId, headers: others }));
      await inbox.comes(answer(going, 'Hello?', 'boss@other.test'));
      await inbox.comes(answer(leaving, OPT_OUT, 'head@other.test'), 'junk');
      await inbox.comes(answer(written.again, 'Hello'));
      await inbox.comes(answer(written.colleague, 'One more thought', colleague.email));
      await inbox.comes(mail({ from: away.send.email, inReplyTo: away.send.messageId, ...out }));
      await inbox.comes(bounce({ recipient: nobody.send.email, originalId: nobody.send.messageId, ...unknown }));
      await inbox.arrives(complaint(spam.send.email, spam.send.messageId));
      await clear();
      inbox.mailbox = second;
      await inbox.arrives(answer(ann, 'Anybody?'));
      inbox.mailbox = first;
      await inbox.arrives(answer(going, 'Are you there?'));
    });

    it('joins the conversation with the addressed person, for any sender, mailbox or reference', async () => {
      expect(await conversationsOf('ann@ann.test')).toMatchObject([{ tracked: false, unread: true, messageCount: 3 }]);
    });

    it('joins the existing conversation', async () => {
      expect(await conversationsOf('going@going.test')).toMatchObject([{ tracked: false, messageCount: 3 }]);
    });

    it('opts out the addressed person and the sender, also from the spam folder', async () => {
      expect([await isSuppressed('leaving@leaving.test'), await isSuppressed('head@other.test')]).toEqual([true, true]);
      expect(await conversationsOf('leaving@leaving.test')).toMatchObject([{ label: 'unsubscribe_request' }]);
      expect((await inbox.sendOf(written.leaving)).unsubscribedAt).toBeInstanceOf(Date);
    });

    it('belongs to another lead with the address, if there is one', async () => {
      expect((await inbox.lead(again)).stopReason).toBe('replied');
      expect(await conversationsOf('again@again.test')).toMatchObject([{ tracked: true }]);
    });

    it('does not match when a colleague wrote it, and is not shown when it is automatic', async () => {
      const shown = (await inbox.conversations()).map(({ email }) => email);
      expect(shown.toSorted()).toEqual(['again', 'ann', 'going', 'leaving'].map((name) => `${name}@${name}.test`));
    });

    it('that is a bounce or a complaint suppresses the address', async () => {
      expect([await isSuppressed('nobody@nobody.test'), await isSuppressed('spam@spam.test')]).toEqual([true, true]);
      expect((await inbox.sendOf(written.nobody)).returned).toMatchObject({ verdict: 'hard' });
    });
  });
});
