import { systemScope } from '@domain/access';
import { type Model, Types } from 'mongoose';
import { LeadsFixture } from './testing/leads.fixture';
import { LeadRecord } from './schemas/lead.record';
import { LeadsService } from './leads.service';
import { LeadWalk } from './lead.walk.service';
import { LeadStops } from './lead.stops.service';
import { DueLeads } from './leads.due.service';

const CAMPAIGNS = 20;
const EACH = 30;

let fixture: LeadsFixture;
let leads: Model<LeadRecord>;
let campaignIds: string[];
const mailboxId = new Types.ObjectId();
let workspaceId: string;

beforeAll(async () => {
  fixture = await LeadsFixture.open();
  leads = fixture.model<LeadRecord>(LeadRecord);
  const workspace = await fixture.workspace();
  workspaceId = workspace.workspaceId;
  campaignIds = [];
  for (let at = 0; at < CAMPAIGNS; at += 1) {
    const campaignId = await fixture.campaign(workspace);
    const emails = Array.from({ length: EACH }, (_, number) => `p${number}@d${at}.example`);
    await fixture.add(workspace, campaignId, emails);
    campaignIds.push(campaignId);
  }
  const ofFirst = { workspaceId, campaignId: campaignIds[0]! };
  const [some] = await leads.find(ofFirst).limit(1).lean();
  await leads.updateOne({ workspaceId, _id: some!._id }, { $set: { status: 'paused', stopReason: 'manual' } });
  const others = await leads
    .find({ ...ofFirst, status: 'active' })
    .limit(3)
    .lean();
  await leads.updateMany({ workspaceId, _id: { $in: others.map(({ _id }) => _id) } }, { $set: { mailboxId } });
});
afterAll(() => fixture.database.close());

/** The filters that `find` was called with. */
async function filtersOf(call: () => Promise<unknown>): Promise<{ filter: object; sort: object | undefined }[]> {
  const seen: { filter: object; sort: object | undefined }[] = [];
  const original = leads.find.bind(leads);
  const find = jest.spyOn(leads, 'find').mockImplementation(((...given: Parameters<typeof original>) => {
    const query = original(...given);
    const entry = { filter: given[0] as object, sort: undefined as object | undefined };
    seen.push(entry);
    const sort = query.sort.bind(query);
    query.sort = ((order: object) => {
      entry.sort = order;
      return sort(order as never);
    }) as never;
    return query;
  }) as never);
  await call();
  find.mockRestore();
  return seen;
}

async function planOf({ filter, sort }: { filter: object; sort: object | undefined }) {
  const query = leads.find(filter as never).setOptions({ allWorkspaces: 'a test' });
  const plan = await (sort ? query.sort(sort as never) : query).explain('executionStats');
  return {
    text: JSON.stringify(plan),
    stats: (plan as unknown as { executionStats: { totalDocsExamined: number } }).executionStats,
  };
}

const all = () => ({ limit: 100 });
const page = (query: object) =>
  fixture.get(LeadsService).list(systemScope(workspaceId), campaignIds[0]!, { ...all(), ...query });

it.each([
  ['all', () => page({}), EACH],
  ['those with a status', () => page({ status: 'paused' }), 1],
  ['those that were written to', () => page({ contacted: 'true' }), EACH],
  ['those that match a search', () => page({ search: 'p7@' }), EACH],
  ['a batch of a bulk action', () => walk({ status: 'active' }), EACH - 1],
  ['a batch of an export', () => walk({}), EACH],
])('reads %s by an index of the campaign, without looking at any other', async (_what, read, most) => {
  const [query] = await filtersOf(read);
  const { text, stats } = await planOf(query!);
  expect(text).toContain('"indexName":"workspaceId_1_campaignId_1_');
  expect(stats.totalDocsExamined).toBeLessThanOrEqual(most);
});

it.each([
  ['an address', { emails: ['p1@d1.example'] }, 'workspaceId_1_email_1', 1],
  ['a domain', { domains: ['d1.example'] }, 'workspaceId_1_domains_1', EACH],
])('finds the leads at %s, in all campaigns, by an index', async (_what, which, index, most) => {
  const [query] = await filtersOf(() =>
    fixture.get(LeadStops).write(workspaceId, which, { reason: 'failed', status: 'paused' }),
  );
  const { text, stats } = await planOf(query!);
  expect(text).toContain(`"indexName":"${index}`);
  expect(stats.totalDocsExamined).toBeLessThanOrEqual(most);
});

it('finds what a mailbox has to send next by an index, in order', async () => {
  const row = {
    workspaceId: new Types.ObjectId(workspaceId),
    campaignId: new Types.ObjectId(campaignIds[0]!),
    mailboxId,
  };
  const [query] = await filtersOf(() => fixture.get(DueLeads).due(row, new Date(Date.now() + 60_000), 20));
  const { text, stats } = await planOf(query!);
  expect(text).toContain('"indexName":"campaignId_1_mailboxId_1_dueAt_1__id_1"');
  expect(stats.totalDocsExamined).toBe(3);
});

it('finds the leads that resume by themselves by an index', async () => {
  const filter = { status: 'paused', resumeAt: { $gt: new Date(0), $lte: new Date() } };
  const { text } = await planOf({ filter, sort: { resumeAt: 1 } });
  expect(text).toContain('"indexName":"resumeAt_1"');
});

async function walk(conditions: object): Promise<void> {
  const of = { workspaceId, campaignId: campaignIds[0]!, ...conditions };
  for await (const _batch of fixture.get(LeadWalk).batches(of, 10)) return;
}
