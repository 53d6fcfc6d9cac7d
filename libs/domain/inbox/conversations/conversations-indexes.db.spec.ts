import { systemScope } from '@domain/access';
import { type Model, Types } from 'mongoose';
import { type InboxQuery } from '../dto/conversation-requests.dto';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';
import { InboxFixture } from '../testing/inbox-fixture';
import { ConversationRepository } from './conversation.repository';
import { ConversationsService } from './conversations.service';

const WORKSPACES = 20;
const TRACKED = 30;
const UNTRACKED = 60;
const LIMIT = 10;

let inbox: InboxFixture;
let conversations: Model<ConversationRecord>;
const ids = Array.from({ length: WORKSPACES }, () => new Types.ObjectId());
const mine = systemScope(ids[WORKSPACES / 2]!.toHexString());
const [campaignId, mailboxId] = [new Types.ObjectId(), new Types.ObjectId()];

beforeAll(async () => {
  inbox = await InboxFixture.open();
  conversations = inbox.model<ConversationRecord>(ConversationRecord);
  await conversations.insertMany(ids.flatMap(conversationsOf));
});
afterAll(() => inbox.close());

function conversationsOf(workspaceId: Types.ObjectId) {
  return Array.from({ length: TRACKED + UNTRACKED }, (_, number) => {
    const isTracked = number % 3 === 0;
    const of = isTracked
      ? { tracked: true, leadId: new Types.ObjectId(), campaignId: number === 3 ? campaignId : new Types.ObjectId() }
      : { tracked: false, threadKey: `<${number}@x.test>` };
    return {
      ...of,
      workspaceId,
      mailboxId: number < 6 ? mailboxId : new Types.ObjectId(),
      email: `p${number}@x.test`,
      unread: number === 9,
      label: number === 12 ? 'positive' : null,
      lastMessageAt: new Date(1_700_000_000_000 + number * 1_000),
      lastDirection: 'received',
    };
  });
}

interface Plan {
  readonly text: string;
  readonly examined: number;
}

async function planOf(query: Partial<InboxQuery>): Promise<Plan> {
  const find = jest.spyOn(conversations, 'find');
  await inbox.get(ConversationsService).list(mine, { limit: LIMIT, ...query });
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  const plan = await conversations
    .find(filter as never)
    .sort({ lastMessageAt: -1, _id: -1 })
    .limit(LIMIT + 1)
    .explain('executionStats');
  const { executionStats } = plan as unknown as { executionStats: { totalDocsExamined: number } };
  return { text: JSON.stringify(plan), examined: executionStats.totalDocsExamined };
}

it.each([
  ['those with leads', {}, 'workspaceId_1_tracked_1', LIMIT + 1],
  ['the others', { tracked: 'false' }, 'workspaceId_1_tracked_1', LIMIT + 1],
  ['those that match a search', { search: 'p3@' }, 'workspaceId_1_tracked_1', TRACKED],
  ['unread ones', { unread: 'true' }, 'workspaceId_1_tracked_1_unread_1', 1],
  ['those with a label', { label: 'positive' }, 'workspaceId_1_tracked_1_label_1', 1],
  ['those of a campaign', { campaignId: campaignId.toHexString() }, 'workspaceId_1_campaignId_1', 1],
  ['those of a mailbox', { mailboxId: mailboxId.toHexString() }, 'workspaceId_1_mailboxId_1_tracked_1', 6],
] as const)('lists %s by an index without scanning others', async (_what, query, index, most) => {
  const { text, examined } = await planOf(query);
  expect(text).toContain(`"indexName":"${index}`);
  expect(text).not.toContain('COLLSCAN');
  expect(text).not.toMatch(/"stage":"SORT"/);
  expect(examined).toBeLessThanOrEqual(most);
});

describe('of one conversation with many messages', () => {
  const conversationId = new Types.ObjectId();
  let messages: Model<ConversationMessageRecord>;

  beforeAll(async () => {
    messages = inbox.model<ConversationMessageRecord>(ConversationMessageRecord);
    const { workspaceId } = mine;
    const like = { workspaceId, mailboxId, direction: 'received', kind: 'reply' } as const;
    const attachments = [{ name: 'a.pdf', contentType: 'application/pdf', size: 1, index: 0 }];
    await messages.insertMany(
      [conversationId, new Types.ObjectId()].flatMap((of) =>
        Array.from({ length: 300 }, (_, number) => ({
          ...like,
          conversationId: of,
          at: new Date(1_700_000_000_000 + number * 1_000),
          ...(number % 100 === 0 ? { attachments, firstAttachment: number / 100 } : {}),
        })),
      ),
    );
    const record = { workspaceId, mailboxId, email: 'a@x.test', lastMessageAt: new Date(), lastDirection: 'received' };
    const key = { tracked: false, threadKey: '<many@x.test>', attachmentCount: 3 };
    await conversations.create({ _id: conversationId, ...record, ...key } as never);
  });

  async function plan(method: 'find' | 'findOne', sort: Record<string, -1>, call: () => Promise<unknown>) {
    const spy = jest.spyOn(messages, method);
    await call().catch(() => undefined);
    const filter: unknown = spy.mock.calls[0]![0];
    spy.mockRestore();
    const found = await messages
      .find(filter as never)
      .sort(sort)
      .limit(method === 'find' ? 101 : 1)
      .explain('executionStats');
    const { executionStats } = found as unknown as { executionStats: { totalDocsExamined: number } };
    return { text: JSON.stringify(found), examined: executionStats.totalDocsExamined };
  }

  it('reads the latest by an index, in order', async () => {
    const conversation = await conversations.findOne({ _id: conversationId, workspaceId: mine.workspaceId }).orFail();
    const read = () => inbox.get(ConversationRepository).readThread(conversation.toObject());
    const { text, examined } = await plan('find', { at: -1, _id: -1 }, read);
    expect(text).toContain('"indexName":"workspaceId_1_conversationId_1_at_1__id_1"');
    expect(examined).toBeLessThanOrEqual(101);
  });

  it('finds an attachment by an index of those with attachments', async () => {
    const open = () => inbox.get(ConversationsService).openAttachment(mine, conversationId.toHexString(), '1');
    const { text, examined } = await plan('findOne', { firstAttachment: -1 }, open);
    expect(text).toContain('"indexName":"workspaceId_1_conversationId_1_firstAttachment_1"');
    expect(examined).toBeLessThanOrEqual(2);
  });
});
