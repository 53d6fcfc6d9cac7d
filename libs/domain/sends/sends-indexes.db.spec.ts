import { Types } from 'mongoose';
import { SEND_STATES } from './schemas/send.record';
import { IN_FLIGHT } from './send-states';
import { id, SendsFixture } from './testing/sends-fixture';

const RECORDS = 20_000;
const START = new Date('2026-03-02T09:00:00Z');
/** Mongoose must not convert the records: they are written as given. */
const AS_GIVEN = { lean: true } as const;
const ANY = { allWorkspaces: 'a test' };

let fixture: SendsFixture;
const workspaceId = new Types.ObjectId();
const mailboxId = new Types.ObjectId();
const onTheirWay = (index: number) => (index % 4_000 === 0 ? 'claimed' : undefined);

beforeAll(async () => {
  fixture = await SendsFixture.open();
  fixture.clock.freeze(START);
  const settled = SEND_STATES.filter((state) => !IN_FLIGHT.some((flying) => flying === state));
  await fixture.sendRecords.insertMany(
    Array.from({ length: RECORDS }, (_each, index) => ({
      ...fixture.newSend({ workspaceId, mailboxId: index % 100 ? new Types.ObjectId() : mailboxId }),
      state: onTheirWay(index) ?? settled[index % settled.length],
      resolveAt: index % 2_000 === 2 ? START : new Date(START.getTime() + 60_000 + index),
    })),
    AS_GIVEN,
  );
  await fixture.leaseRecords.insertMany(
    Array.from({ length: RECORDS }, (_each, index) => ({
      _id: new Types.ObjectId(),
      workspaceId: new Types.ObjectId(),
      nextAt: index < 10 ? new Date(START.getTime() - 60_000) : new Date(START.getTime() + index),
    })),
    AS_GIVEN,
  );
});
afterAll(() => fixture.close());

interface Plan {
  executionStats: { totalDocsExamined: number };
}
const explained = (plan: unknown) => ({
  text: JSON.stringify(plan),
  examined: (plan as Plan).executionStats.totalDocsExamined,
});

it('the sends in flight of a mailbox are read by their index', async () => {
  const where = { workspaceId, mailboxId, state: { $in: IN_FLIGHT } };
  const plan = explained(await fixture.sendRecords.find(where).explain('executionStats'));
  expect(plan.text).toContain('"indexName":"workspaceId_1_mailboxId_1"');
  expect(plan.examined).toBe(5);
});

it('sends to withhold are read by the same index, without reading final sends', async () => {
  const where = { workspaceId, state: { $in: IN_FLIGHT } };
  const plan = explained(await fixture.sendRecords.find(where).explain('executionStats'));
  expect(plan.text).toContain('"indexName":"workspaceId_1_mailboxId_1"');
  expect(plan.examined).toBe(5);
});

it('sends with a due resolution are read by an index', async () => {
  const find = jest.spyOn(fixture.sendRecords, 'find');
  const due = await fixture.sends.listDueForResolution(START, 10);
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  const query = fixture.sendRecords.find(filter as never).setOptions(ANY);
  const plan = explained(await query.sort({ resolveAt: 1 }).limit(10).explain('executionStats'));
  expect(plan.text).toContain('"indexName":"resolveAt_1"');
  expect(plan.examined).toBe(due.length);
});

it.each([
  ['the send of a step', { leadId: new Types.ObjectId(), stepId: new Types.ObjectId() }, 'leadId_1_stepId_1'],
  ['the sends of leads', { leadId: { $in: [new Types.ObjectId()] } }, 'leadId_1_stepId_1'],
  [
    'the send of a thread',
    { mailboxId: new Types.ObjectId(), providerThreadId: 't' },
    'mailboxId_1_providerThreadId_1',
  ],
  ['sends by Message-ID', { messageId: { $in: ['<a@b>'] } }, 'messageId_1'],
])('%s are read by an index', async (_what, where, index) => {
  const plan = explained(await fixture.sendRecords.find({ workspaceId, ...where }).explain('executionStats'));
  expect(plan.text).toContain(`"indexName":"workspaceId_1_${index}"`);
  expect(plan.examined).toBe(0);
});

it('due leases are read by an index, without reading others', async () => {
  const aggregate = jest.spyOn(fixture.leaseRecords, 'aggregate');
  await fixture.leases.sweep();
  const stages = aggregate.mock.calls[0]![0];
  aggregate.mockRestore();
  const plan: unknown = await fixture.leaseRecords.aggregate(stages).option(ANY).explain('executionStats');
  const text = JSON.stringify(plan);
  expect(text).toContain('"indexName":"nextAt_1__id_1"');
  expect(text).toContain('"totalDocsExamined":10');
});

it('a lease is acquired by its id', async () => {
  const plan = await fixture.leaseRecords.find({ _id: id() }).setOptions(ANY).explain();
  expect(JSON.stringify(plan)).toContain('_id_');
});
