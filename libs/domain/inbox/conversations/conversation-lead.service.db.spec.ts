import { LeadStopService } from '@domain/leads';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { type ConversationRecord } from '../schemas/conversation.record';
import { InboxFixture } from '../testing/inbox-fixture';
import { mail } from '../testing/mails';
import { MAX_ANSWERS } from './conversation-lead.service';
import { ConversationUpdateService } from './conversation-update.service';

const ZOE = 'zoe@elsewhere.test';

describe('a conversation that a person attaches to a lead', () => {
  let inbox: InboxFixture;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
  });
  afterAll(() => inbox.close());
  beforeEach(() => inbox.fresh());

  const replied = async () => (await inbox.events()).filter(({ type }) => type === 'email.replied');
  const attach = ({ _id }: Pick<ConversationRecord, '_id'>, leadId: string) =>
    inbox.get(ConversationUpdateService).update(inbox.workspace, _id.toHexString(), { leadId });
  const stranger = async (): Promise<ConversationRecord> => {
    await inbox.arrives(mail({ from: ZOE, subject: 'About your offer', text: 'Hello' }));
    const [conversation] = await inbox.conversations();
    return conversation!;
  };

  it('is completed by the next request when its follow-up tasks failed', async () => {
    const { leadId } = await inbox.written('ada@acme.test');
    const conversation = await stranger();
    const withhold = jest.spyOn(inbox.get(LeadStopService), 'withhold').mockRejectedValueOnce(new Error('away'));
    await expect(attach(conversation, leadId)).rejects.toThrow('away');
    expect(await attach(conversation, leadId)).toMatchObject({ leadId });
    expect(withhold.mock.calls.map(([, which]) => which)).toEqual([{ leadIds: [leadId] }, { leadIds: [leadId] }]);
    withhold.mockRestore();
    expect(await replied()).toHaveLength(1);
  });

  it('stops the company’s leads too when the campaign is set to', async () => {
    const campaignId = await inbox.campaign({ stopCompanyOnReply: true });
    const ada = await inbox.written('ada@acme.test', {}, campaignId);
    const bob = await inbox.written('bob@acme.test', {}, campaignId);
    await attach(await stranger(), ada.leadId);
    expect((await inbox.lead(bob)).stopReason).toBe('company_replied');
  });

  it('counts its first hundred messages as replies, and shows all of them', async () => {
    const { leadId } = await inbox.written('ada@acme.test');
    const conversation = await stranger();
    const { workspaceId, mailboxId } = conversation;
    const like = { workspaceId, mailboxId, conversationId: conversation._id, direction: 'received', kind: 'reply' };
    const more = Array.from({ length: MAX_ANSWERS }, (_, number) => ({
      ...like,
      at: new Date(inbox.clock.now().getTime() + number),
      messageId: `<${number}@elsewhere.test>`,
    }));
    await inbox.model<ConversationMessageRecord>(ConversationMessageRecord).insertMany(more as never);
    await attach(conversation, leadId);
    expect(await replied()).toHaveLength(MAX_ANSWERS);
    expect(await inbox.said()).toHaveLength(MAX_ANSWERS + 1);
  });
});
