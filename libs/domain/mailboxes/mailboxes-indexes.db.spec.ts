import { systemScope } from '@domain/access';
import { type Model, Types } from 'mongoose';
import { createConnection } from './mailbox-connection';
import { MailboxesService } from './mailboxes.service';
import { MailboxRecord } from './schemas/mailbox.record';
import { MailboxConnectionFixture } from './testing/mailbox-connection-fixture';

const WORKSPACES = 30;
const EACH = 20;

let fixture: MailboxConnectionFixture;
let mailboxes: Model<MailboxRecord>;
const ids = Array.from({ length: WORKSPACES }, () => new Types.ObjectId());
const mine = systemScope(ids[WORKSPACES / 2]!.toHexString());

beforeAll(async () => {
  fixture = await MailboxConnectionFixture.open();
  mailboxes = fixture.model<MailboxRecord>(MailboxRecord);
  const connection = createConnection(fixture.database.clock.now());
  await mailboxes.insertMany(
    ids.flatMap((workspaceId) =>
      Array.from({ length: EACH }, (_, index) => ({
        workspaceId,
        email: `m${index}@mail.test`,
        provider: index === 0 ? 'google' : 'custom',
        connectionType: 'smtp',
        status: index === 1 ? 'paused' : 'active',
        tags: index === 2 ? ['rare', 'x'] : ['x'],
        connection,
        dailySendLimit: 30,
        sendGapSeconds: 60,
        timezone: 'UTC',
      })),
    ),
  );
});
afterAll(() => fixture.database.close());

it.each([
  ['all', {}, EACH],
  ['those with a status', { status: 'paused' as const }, 1],
  ['those with a tag', { tag: 'rare' }, 1],
  ['those of a provider', { provider: 'google' as const }, 1],
])('lists %s by an index, without reading any other mailbox', async (_what, query, found) => {
  const find = jest.spyOn(mailboxes, 'find');
  const { items } = await fixture.get(MailboxesService).list(mine, { limit: 25, ...query });
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  expect(items).toHaveLength(found);
  const plan = await mailboxes
    .find(filter as never)
    .sort({ createdAt: -1, _id: -1 })
    .limit(26)
    .explain('executionStats');
  expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_');
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: found } });
});

it('finds the mailboxes that workers watch by an index', async () => {
  const listened = { 'connection.state': 'degraded' as const };
  const plan = await mailboxes.find(listened).setOptions({ allWorkspaces: 'a test' }).explain();
  expect(JSON.stringify(plan)).toContain('"indexName":"connection.state_1"');
});

it('finds mailboxes that are due for a check by an index', async () => {
  const due = { 'connection.nextCheckAt': { $gt: new Date(0), $lte: new Date() } };
  const plan = await mailboxes.find(due).setOptions({ allWorkspaces: 'a test' }).explain();
  expect(JSON.stringify(plan)).toContain('"indexName":"connection.nextCheckAt_1"');
});

it('finds the mailboxes of a domain, and those without an assigned domain, by an index', async () => {
  const { workspaceId } = mine;
  const ofDomain = await mailboxes.find({ workspaceId, 'setup.domain': 'mail.test' }).sort({ _id: 1 }).explain();
  expect(JSON.stringify(ofDomain)).toContain('"indexName":"setup.domain_1_workspaceId_1__id_1"');
  const unknown = await mailboxes
    .find({ 'setup.domain': null })
    .setOptions({ allWorkspaces: 'a test' })
    .sort({ 'setup.domain': 1, workspaceId: 1, _id: 1 })
    .limit(10)
    .explain();
  expect(JSON.stringify(unknown)).toContain('"indexName":"setup.domain_1_workspaceId_1__id_1"');
});
