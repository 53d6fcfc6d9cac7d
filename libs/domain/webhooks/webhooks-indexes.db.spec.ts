import { systemScope } from '@domain/access';
import { Types } from 'mongoose';
import { type WebhookRecord } from './schemas/webhook.record';
import { WebhooksFixture } from './testing/webhooks-fixture';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhookHealthService } from './webhook-health.service';
import { WebhooksService } from './webhooks.service';

const WEBHOOKS = 20;
const EACH = 30;
const FAILED = 3;
const WAITING = 4;

let fixture: WebhooksFixture;
const mine = new Types.ObjectId();
const workspace = systemScope(mine.toHexString());
let webhooks: WebhookRecord[];

beforeAll(async () => {
  fixture = await WebhooksFixture.open();
  // Half of the records belong to another workspace.
  webhooks = await Promise.all(
    Array.from({ length: WEBHOOKS }, (_, index) =>
      fixture.webhook('https://example.com/', index < WEBHOOKS / 2 ? { workspaceId: mine } : {}),
    ),
  );
  await fixture.deliveries.insertMany(
    webhooks.flatMap(({ _id, workspaceId }) =>
      Array.from({ length: EACH }, (_, at) => ({
        workspaceId,
        webhookId: _id,
        eventId: new Types.ObjectId(),
        type: 'email.sent',
        body: '{}',
        state: at < FAILED ? 'failed' : at < FAILED + WAITING ? 'pending' : 'delivered',
        attemptsMade: 0,
        attemptCount: 0,
        attempts: [],
        ...(at >= FAILED && at < FAILED + WAITING && { nextAttemptAt: new Date() }),
      })),
    ),
  );
});
afterAll(() => fixture.close());

it('lists webhooks by an index, without reading those of other workspaces', async () => {
  const find = jest.spyOn(fixture.webhooks, 'find');
  const { items } = await fixture.get(WebhooksService).list(workspace, { limit: 25 });
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  expect(items).toHaveLength(WEBHOOKS / 2);
  const plan = await fixture.webhooks
    .find(filter as never)
    .sort({ createdAt: -1, _id: -1 })
    .limit(26)
    .explain('executionStats');
  expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_createdAt_-1__id_-1"');
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: WEBHOOKS / 2 } });
});

it.each([
  ['all', {}, 26],
  ['failed deliveries', { state: 'failed' as const }, FAILED],
  ['deliveries of a period', { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }, 0],
])('lists %s of a webhook by an index, without reading other deliveries', async (_what, query, looked) => {
  const find = jest.spyOn(fixture.deliveries, 'find');
  await fixture.get(WebhookDeliveriesService).list(workspace, webhooks[3]!._id.toHexString(), { limit: 25, ...query });
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  const plan = await fixture.deliveries
    .find(filter as never)
    .sort({ createdAt: -1, _id: -1 })
    .limit(26)
    .explain('executionStats');
  expect(JSON.stringify(plan)).toMatch(/"indexName":"workspaceId_1_webhookId_1_(state_1_)?createdAt_-1__id_-1"/);
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: looked } });
});

it('finds the due deliveries of a webhook by an index of due deliveries only', async () => {
  const waiting = { workspaceId: mine, webhookId: webhooks[3]!._id, nextAttemptAt: { $gt: new Date(0) } };
  const plan = await fixture.deliveries.find(waiting).sort({ nextAttemptAt: 1 }).explain('executionStats');
  expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_webhookId_1_nextAttemptAt_1"');
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: WAITING } });
});

it('counts the pending deliveries of a webhook without reading the rest of its log', async () => {
  const findOne = jest.spyOn(fixture.deliveries, 'findOne');
  const health = await fixture.get(WebhookHealthService).read(workspace, webhooks[3]!._id.toHexString());
  expect(health).toMatchObject({ pending: WAITING, oldestPendingAt: expect.any(String) as unknown });
  const queries = findOne.mock.results.map(({ value }) => value as ReturnType<typeof fixture.deliveries.findOne>);
  findOne.mockRestore();
  expect(queries).toHaveLength(2);
  for (const query of queries) {
    const plan = await fixture.deliveries.find(query.getFilter(), null, query.getOptions()).explain('executionStats');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: WAITING } });
  }
});

it('finds the records of deleted webhooks by an index', async () => {
  const deleted = { deletedAt: { $gt: new Date(0) } };
  const plan = await fixture.partitionRecords.find(deleted).setOptions({ allWorkspaces: 'a test' }).explain();
  expect(JSON.stringify(plan)).toContain('"indexName":"deletedAt_1"');
});
