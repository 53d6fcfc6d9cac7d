import { systemScope } from '@domain/access';
import { ChatMessageRepository } from '../delivery/chat-message.repository';
import { ChatFixture } from '../testing/chat-fixture';
import { type ChatInUse } from '../testing/chat-in-use';
import { ChatMessagesService } from '../delivery/chat-messages.service';

const EACH = 30;
const FAILED = 3;

let fixture: ChatFixture;
let mine: ChatInUse;

beforeAll(async () => {
  fixture = await ChatFixture.open();
  mine = await fixture.chat({ mode: 'digest' });
  const other = await fixture.chat({ mode: 'digest' });
  for (const chat of [mine, other]) {
    await chat.happens(EACH);
    const some = (await chat.log()).slice(0, FAILED).map(({ _id }) => _id);
    const failed = { $set: { state: 'failed' as const }, $unset: { dueAt: 1 } } as const;
    await fixture.messages.updateMany({ workspaceId: chat.workspaceId, _id: { $in: some } }, failed);
  }
});
afterAll(() => fixture.close());

it.each([
  ['all messages', undefined, EACH],
  ['messages of a state', 'failed', FAILED],
] as const)('lists %s by an index, without scanning others', async (_name, state, count) => {
  const find = jest.spyOn(fixture.messages, 'find');
  const query = { limit: 100, ...(state && { state }) };
  const { items } = await fixture.get(ChatMessagesService).list(systemScope(mine.workspaceId.toHexString()), query);
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  expect(items).toHaveLength(count);
  const plan = await fixture.messages
    .find(filter as never)
    .sort({ createdAt: -1, _id: -1 })
    .explain('executionStats');
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: count } });
  expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
});

it('finds due messages by an index, without scanning finished ones', async () => {
  const connection = await mine.stored();
  fixture.clock.advance(3_600_000);
  const find = jest.spyOn(fixture.messages, 'find');
  const due = await fixture.get(ChatMessageRepository).due(connection);
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  expect(due).toHaveLength(EACH - FAILED);
  const plan = await fixture.messages
    .find(filter as never)
    .sort({ dueAt: 1, _id: 1 })
    .explain('executionStats');
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: EACH - FAILED } });
});
