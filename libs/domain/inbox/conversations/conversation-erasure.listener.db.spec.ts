import { HookRegistry } from '@platform/hooks';
import { addListener } from '@testing';
import { CampaignStatusService, CampaignsService } from '@domain/campaigns';
import { LeadRepository } from '@domain/leads';
import { MailboxDeletionService, type MailboxRecord } from '@domain/mailboxes';
import { Types } from 'mongoose';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';
import { InboxFixture } from '../testing/inbox-fixture';
import { type Written } from '../testing/inbox-records';
import { mail } from '../testing/mails';
import { CONVERSATION_HOOKS } from './conversation-hooks';

const ADA = 'ada@acme.test';
const ZOE = 'zoe@elsewhere.test';

describe('the erasure of conversations', () => {
  let inbox: InboxFixture;
  const { signal } = new AbortController();

  beforeAll(async () => {
    inbox = await InboxFixture.open();
  });
  afterAll(() => inbox.close());
  beforeEach(() => inbox.fresh());

  const emails = async () => (await inbox.conversations()).map(({ email }) => email);
  const answered = async (email = ADA): Promise<Written> => {
    const written = await inbox.written(email);
    await inbox.arrives(mail({ from: email, inReplyTo: written.send.messageId, text: 'Hello' }));
    return written;
  };
  const deleteMailbox = async ({ _id }: MailboxRecord) => {
    await inbox.get(MailboxDeletionService).delete(inbox.workspace, _id.toHexString(), { force: 'true' });
    await inbox.get(MailboxDeletionService).eraseDeleted(signal);
  };
  const deleteCampaign = async ({ campaignId }: Written) => {
    const transitions = inbox.get(CampaignStatusService);
    await transitions.pause(inbox.workspace, campaignId);
    await inbox.get(CampaignsService).delete(inbox.workspace, campaignId);
  };
  const clearCampaigns = () => inbox.get(CampaignsService).eraseDeleted(signal);

  describe('when their mailbox is deleted', () => {
    it('untracked mail is erased with it; conversations with leads stay', async () => {
      await answered();
      await inbox.arrives(mail({ from: ZOE, subject: 'Lunch?', text: 'Today?' }));
      const first = inbox.mailbox;
      inbox.mailbox = await inbox.connected();
      await inbox.arrives(mail({ from: 'other@elsewhere.test', subject: 'Dinner?', text: 'Tonight?' }));
      await deleteMailbox(first);
      expect(await emails()).toEqual([ADA, 'other@elsewhere.test']);
      expect((await inbox.said()).map(({ text }) => text).toSorted()).toEqual(['Hello', 'Tonight?']);
    });

    it('hooks are notified while the conversation still exists', async () => {
      await inbox.arrives(mail({ from: ZOE, subject: 'Lunch?', text: 'Today?' }));
      const [conversation] = await inbox.conversations();
      const told: string[] = [];
      addListener(inbox.get(HookRegistry), CONVERSATION_HOOKS, {
        erased: async ({ _id }) => {
          told.push(`${String(_id)} of ${(await emails()).join()}`);
        },
      });
      await deleteMailbox(inbox.mailbox);
      expect(told).toEqual([`${String(conversation?._id)} of ${ZOE}`]);
    });

    it('more than a hundred conversations and more than a thousand messages are all erased', async () => {
      const { workspaceId } = inbox;
      const mailboxId = inbox.mailbox._id;
      const many = Array.from({ length: 105 }, () => new Types.ObjectId());
      const at = inbox.clock.now();
      const conversation = { workspaceId, mailboxId, tracked: false, email: ZOE };
      const last = { lastMessageAt: at, lastDirection: 'received' as const };
      await inbox
        .model<ConversationRecord>(ConversationRecord)
        .insertMany(many.map((_id) => ({ ...conversation, ...last, _id, threadKey: _id.toHexString() })));
      const message = { workspaceId, mailboxId, at, direction: 'received' as const, kind: 'reply' as const };
      await inbox.model<ConversationMessageRecord>(ConversationMessageRecord).insertMany(
        Array.from({ length: 1_150 }, (_, number) => ({
          ...message,
          conversationId: many[number < 1_030 ? 0 : number % 105],
        })),
      );
      await deleteMailbox(inbox.mailbox);
      expect(await inbox.conversations()).toEqual([]);
      expect(await inbox.said()).toEqual([]);
    });
  });

  describe('when their campaign is deleted', () => {
    it('they become untracked mail, and later replies arrive in them', async () => {
      const written = await answered();
      await answered('bob@other.test');
      await deleteCampaign(written);
      await clearCampaigns();
      const [ada, bob] = await inbox.conversations();
      expect(ada).toMatchObject({ email: ADA, threadKey: written.send.messageId, messageCount: 1 });
      expect(ada).not.toHaveProperty('leadId');
      expect(ada).not.toHaveProperty('campaignId');
      expect(bob?.leadId).toBeDefined();
      expect(await inbox.get(LeadRepository).find(inbox.workspaceId, new Types.ObjectId(written.leadId))).toBeNull();
      await inbox.arrives(mail({ from: ADA, inReplyTo: written.send.messageId, text: 'Are you there?' }));
      expect(await inbox.conversations()).toMatchObject([
        { _id: ada?._id, messageCount: 2 },
        { email: 'bob@other.test' },
      ]);
    });

    it('two conversations of one thread stay separate', async () => {
      const written = await answered();
      const { _id, ...like } = (await inbox.conversations())[0]!;
      inbox.clock.advance(1_000);
      const threadKey = written.send.messageId;
      const untracked = { workspaceId: like.workspaceId, mailboxId: like.mailboxId, email: ZOE, tracked: false };
      const last = { lastMessageAt: like.lastMessageAt, lastDirection: like.lastDirection };
      await inbox.model<ConversationRecord>(ConversationRecord).create({ ...untracked, ...last, threadKey });
      await deleteCampaign(written);
      await clearCampaigns();
      expect(await inbox.conversations()).toMatchObject([
        { _id, email: ADA, tracked: false, threadKey: _id.toHexString() },
        { email: ZOE, threadKey },
      ]);
    });

    it('conversations whose mailbox is also deleted are erased', async () => {
      const written = await answered();
      await deleteMailbox(inbox.mailbox);
      expect(await emails()).toEqual([ADA]);
      await deleteCampaign(written);
      await clearCampaigns();
      expect(await inbox.conversations()).toEqual([]);
      expect(await inbox.said()).toEqual([]);
    });
  });

  it('continues where it was interrupted', async () => {
    await inbox.arrives(mail({ from: ZOE, subject: 'Lunch?', text: 'Today?' }));
    await inbox.get(MailboxDeletionService).delete(inbox.workspace, inbox.mailbox._id.toHexString(), {});
    await expect(inbox.get(MailboxDeletionService).eraseDeleted(AbortSignal.abort())).rejects.toThrow('abort');
    expect(await emails()).toEqual([ZOE]);
    await inbox.get(MailboxDeletionService).eraseDeleted(signal);
    expect(await emails()).toEqual([]);
  });
});
