import { MailboxMessageRepository, MailboxMessageRecord } from '@domain/mailboxes';
import { type Model, Types } from 'mongoose';
import { InboxFixture } from '../testing/inbox-fixture';

const MESSAGES = 400;
/** One in so many is unfinished. */
const UNFINISHED = 40;

let inbox: InboxFixture;
let messages: Model<MailboxMessageRecord>;

beforeAll(async () => {
  inbox = await InboxFixture.open();
  messages = inbox.model<MailboxMessageRecord>(MailboxMessageRecord);
  await messages.insertMany(
    Array.from({ length: MESSAGES }, (_, number) => ({
      workspaceId: new Types.ObjectId(),
      mailboxId: new Types.ObjectId(),
      fingerprint: String(number),
      state: number % UNFINISHED === 0 ? 'received' : 'done',
      place: 'p',
      ref: { folder: 'inbox', id: '1' },
      receivedAt: new Date(1_700_000_000_000 + number * 1_000),
    })),
  );
});
afterAll(() => inbox.close());

it('mailboxes with unfinished mail are found without scanning finished mail', async () => {
  const aggregate = jest.spyOn(messages, 'aggregate');
  expect(await inbox.get(MailboxMessageRepository).listMailboxesWithWork()).toHaveLength(MESSAGES / UNFINISHED);
  const pipeline = aggregate.mock.calls[0]![0];
  aggregate.mockRestore();
  const plan = await messages
    .aggregate(pipeline)
    .option({ allWorkspaces: 'the plan of a query of the worker' })
    .explain('executionStats');
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: MESSAGES / UNFINISHED } });
});
