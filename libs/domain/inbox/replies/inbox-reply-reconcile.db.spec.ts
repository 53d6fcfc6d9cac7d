import { getModelToken } from '@nestjs/mongoose';
import { DatabaseModule } from '@platform/database';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { ConversationRepository } from '../conversations/conversation.repository';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { InboxReplyRepository } from './inbox-reply.repository';
import { REPLY_STATES, type ReplyState } from './reply-states';

const UNTIL = new Date('2027-03-08T09:00:00Z');
const BECOMES: Partial<Record<ReplyState, ReplyState>> = {
  queued: 'cancelled',
  retry: 'cancelled',
  claimed: 'sending',
};
const LATER = new Date(UNTIL.getTime() + 1);

describe('replies of a restored database', () => {
  let database: TestDatabase;
  let replies: Model<InboxReplyRecord>;

  beforeAll(async () => {
    const imports = [DatabaseModule.collections(InboxReplyRecord, ConversationMessageRecord)];
    database = await openTestDatabase({
      imports,
      providers: [InboxReplyRepository, { provide: ConversationRepository, useValue: {} }],
    });
    replies = database.module.get(getModelToken(InboxReplyRecord.name));
  });
  afterAll(() => database.close());

  const reconcile = (workspaceId: Types.ObjectId) =>
    database.module.get(InboxReplyRepository).reconcile(workspaceId.toHexString(), UNTIL);
  async function written(workspaceId: Types.ObjectId, state: ReplyState, createdAt = UNTIL) {
    const { insertedId } = await replies.collection.insertOne({
      workspaceId,
      state,
      createdAt,
      claimedAt: createdAt,
    });
    return async () => (await replies.findOne({ workspaceId, _id: insertedId }).lean<InboxReplyRecord>())!;
  }

  it.each(REPLY_STATES.map((state) => [state, BECOMES[state] ?? state] as const))(
    'that were %s at the time of the backup are %s',
    async (state, becomes) => {
      const [here, elsewhere] = [new Types.ObjectId(), new Types.ObjectId()];
      const [reply, other] = [await written(here, state), await written(elsewhere, state)];
      await reconcile(here);
      expect((await reply()).state).toBe(becomes);
      expect((await other()).state).toBe(state);
      expect(await reconcile(here)).toEqual({ cancelled: 0, resolving: 0 });
    },
  );

  it('state why they were cancelled, and since when their server may have them', async () => {
    const workspaceId = new Types.ObjectId();
    const [waiting, claimed] = [await written(workspaceId, 'queued'), await written(workspaceId, 'claimed')];
    expect(await reconcile(workspaceId)).toEqual({ cancelled: 1, resolving: 1 });
    expect((await waiting()).reason).toMatch(/restored from a backup/);
    expect((await claimed()).handoverAt).toEqual(UNTIL);
  });

  it('are sent when a user wrote them after the restore', async () => {
    const workspaceId = new Types.ObjectId();
    const reply = await written(workspaceId, 'queued', LATER);
    expect(await reconcile(workspaceId)).toEqual({ cancelled: 0, resolving: 0 });
    expect((await reply()).state).toBe('queued');
  });
});
