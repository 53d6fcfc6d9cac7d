import { CampaignDeletionService, CampaignErasure, CampaignTransitions } from '@domain/campaigns';
import { Suppressions } from '@domain/suppressions';
import { InboxFixture, type Written } from '../testing/inbox.fixture';
import { bounce, complaint, mail } from '../testing/mails';

const ADA = 'ada@acme.test';
const OPT_OUT = 'Please remove me from your mailing list.';

describe('an answer to an email whose campaign was deleted', () => {
  let inbox: InboxFixture;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
  });
  afterAll(() => inbox.close());
  beforeEach(() => inbox.fresh());

  const isSuppressed = (email: string) => inbox.get(Suppressions).isSuppressed(inbox.workspaceId, email);
  const clear = () => inbox.get(CampaignErasure).clear(new AbortController().signal);
  const deleted = async (written: Written): Promise<Written> => {
    await inbox.get(CampaignTransitions).pause(inbox.workspace, written.campaignId);
    await inbox.get(CampaignDeletionService).delete(inbox.workspace, written.campaignId);
    return written;
  };
  const answer = ({ send }: Written, text: string, from = ADA) => mail({ from, inReplyTo: send.messageId, text });

  describe.each([
    ['before its leads are erased', () => Promise.resolve()],
    ['after its leads were erased', clear],
  ])('%s', (_when, erased) => {
    const gone = async () => {
      const written = await deleted(await inbox.written(ADA));
      await erased();
      return written;
    };

    it('is in one conversation with the person that was written to, whoever answers, wherever, and whatever it refers to', async () => {
      const written = await gone();
      const others = '<other@acme.test>';
      await inbox.arrives(answer(written, 'Hello', 'boss@other.test'));
      await inbox.arrives(
        mail({ from: ADA, text: 'Hello?', inReplyTo: written.send.messageId, headers: `References: ${others}\n` }),
      );
      inbox.mailbox = await inbox.connected();
      await inbox.arrives(answer(written, 'Anybody?'));
      expect(await inbox.conversations()).toMatchObject([
        { email: ADA, tracked: false, unread: true, messageCount: 3 },
      ]);
    });

    it('goes on in the conversation that there was', async () => {
      const written = await inbox.written(ADA);
      await inbox.arrives(answer(written, 'Hello'));
      await deleted(written);
      await erased();
      await inbox.arrives(mail({ from: 'boss@other.test', inReplyTo: written.send.messageId, text: 'Hello?' }));
      await clear();
      await inbox.arrives(answer(written, 'Are you there?'));
      expect(await inbox.conversations()).toMatchObject([{ email: ADA, tracked: false, messageCount: 3 }]);
    });

    it('opts out who was written to and who answers, also from the spam folder', async () => {
      const written = await gone();
      await inbox.arrives(answer(written, OPT_OUT, 'boss@other.test'), 'junk');
      expect([await isSuppressed(ADA), await isSuppressed('boss@other.test')]).toEqual([true, true]);
      expect(await inbox.conversations()).toMatchObject([{ email: ADA, label: 'unsubscribe_request' }]);
      expect((await inbox.sendOf(written)).unsubscribedAt).toBeInstanceOf(Date);
    });

    it('is about another lead with the address where there is one', async () => {
      const written = await gone();
      const other = await inbox.written(ADA);
      await inbox.arrives(answer(written, 'Hello'));
      expect((await inbox.lead(other)).stopReason).toBe('replied');
      expect(await inbox.conversations()).toMatchObject([{ tracked: true, email: ADA }]);
    });

    it('is not taken for one when a colleague wrote it', async () => {
      const written = await gone();
      const { email } = await inbox.connected();
      await inbox.arrives(answer(written, 'One more thought', email));
      expect(await inbox.conversations()).toEqual([]);
    });

    it('that is automatic is not shown', async () => {
      const written = await gone();
      const headers = 'Auto-Submitted: auto-replied\n';
      const text = 'I am currently out of the office.';
      await inbox.arrives(mail({ from: ADA, inReplyTo: written.send.messageId, text, headers }));
      expect(await inbox.conversations()).toEqual([]);
    });

    it('that says that nobody is there, or that it was spam, suppresses the address', async () => {
      const written = await gone();
      const bob = await deleted(await inbox.written('bob@acme.test'));
      await erased();
      const status = { status: '5.1.1', diagnostic: '550 5.1.1 User unknown' };
      await inbox.arrives(bounce({ recipient: ADA, originalId: written.send.messageId, ...status }));
      await inbox.arrives(complaint('bob@acme.test', bob.send.messageId));
      expect([await isSuppressed(ADA), await isSuppressed('bob@acme.test')]).toEqual([true, true]);
      expect((await inbox.sendOf(written)).returned).toMatchObject({ verdict: 'hard' });
    });
  });
});
