import { systemScope } from '@domain/access';
import { type Model, Types } from 'mongoose';
import { LeadsFixture } from './testing/leads-fixture';
import { LeadRecord } from './schemas/lead.record';
import { LeadsService } from './leads.service';
import { LeadPauseService } from './lead-pause.service';
import { LeadRepository } from './lead.repository';
import { LeadPostponementRepository } from './lead-postponement.repository';
import { LeadStopService } from './lead-stop.service';
import { DueLeadRepository } from './due-lead.repository';
import { type VerificationCampaign, UnverifiedLeadService } from './verification/unverified-lead.service';

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

interface Asked {
  readonly filter: object;
  sort: object | undefined;
  hint: string | undefined;
}

/** Returns the filters that `find` or `findOne` was called with. */
async function filtersOf(call: () => Promise<unknown>, method: 'find' | 'findOne' = 'find'): Promise<Asked[]> {
  const seen: Asked[] = [];
  const original = leads[method].bind(leads) as typeof leads.find;
  const find = jest.spyOn(leads, method).mockImplementation(((...given: Parameters<typeof original>) => {
    const query = original(...given);
    const entry: Asked = { filter: given[0] as object, sort: undefined, hint: undefined };
    seen.push(entry);
    const sort = query.sort.bind(query);
    query.sort = ((order: object) => {
      entry.sort = order;
      return sort(order as never);
    }) as never;
    const hint = query.hint.bind(query);
    query.hint = ((index: string) => {
      entry.hint = index;
      return hint(index);
    }) as never;
    return query;
  }) as never);
  await call();
  find.mockRestore();
  return seen;
}

interface Examined {
  readonly totalDocsExamined: number;
  readonly totalKeysExamined: number;
}

async function planOf({ filter, sort, hint }: Asked) {
  const query = leads.find(filter as never).setOptions({ allWorkspaces: 'a test' });
  if (hint !== undefined) query.hint(hint);
  const plan = await (sort ? query.sort(sort as never) : query).explain('executionStats');
  return {
    text: JSON.stringify(plan),
    stats: (plan as unknown as { executionStats: Examined }).executionStats,
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
])('reads %s by an index of the campaign, without reading any other', async (_what, read, most) => {
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
    fixture.get(LeadStopService).write(workspaceId, which, { reason: 'failed', status: 'paused' }),
  );
  const { text, stats } = await planOf(query!);
  expect(text).toContain(`"indexName":"${index}`);
  expect(stats.totalDocsExamined).toBeLessThanOrEqual(most);
});

it.each([
  [
    'the next campaign',
    'findOne',
    (at: VerificationCampaign) => fixture.get(UnverifiedLeadService).campaignAfter(at),
    2,
  ],
  ['the first campaign', 'findOne', () => fixture.get(UnverifiedLeadService).campaignAfter(null), 1],
  ['those that are due', 'find', (at: VerificationCampaign) => fixture.get(UnverifiedLeadService).due(at, 100), 1],
] as const)('finds, of unverified leads, %s by an index without other leads', async (_what, how, find, count) => {
  const at = { workspaceId: new Types.ObjectId(workspaceId), campaignId: new Types.ObjectId(campaignIds[0]) };
  const queries = await filtersOf(() => find(at), how);
  expect(queries).toHaveLength(count);
  for (const query of queries) {
    const { text, stats } = await planOf(query);
    expect(text).toContain('"indexName":"workspaceId_1_campaignId_1_verification.nextAt_1__id_1"');
    expect(stats.totalKeysExamined).toBe(0);
  }
});

it('finds what a mailbox has to send next by an index, in order', async () => {
  const row = {
    workspaceId: new Types.ObjectId(workspaceId),
    campaignId: new Types.ObjectId(campaignIds[0]!),
    mailboxId,
  };
  const [query] = await filtersOf(() => fixture.get(DueLeadRepository).due(row, new Date(Date.now() + 60_000), 20));
  const { text, stats } = await planOf(query!);
  expect(text).toContain('"indexName":"campaignId_1_mailboxId_1_dueAt_1__id_1"');
  expect(stats.totalDocsExamined).toBe(3);
});

it('finds the leads that earlier settings have postponed by an index without other leads', async () => {
  const campaign = {
    workspaceId: new Types.ObjectId(workspaceId),
    _id: new Types.ObjectId(campaignIds[0]!),
    revision: 9,
  };
  const [query] = await filtersOf(() => fixture.get(LeadPostponementRepository).free(campaign));
  const { text, stats } = await planOf(query!);
  expect(text).toContain('"indexName":"campaignId_1_postponement.revision_1__id_1"');
  expect(stats.totalKeysExamined).toBe(0);
});

it('finds the leads that resume automatically by an index without other leads', async () => {
  const [query] = await filtersOf(() => fixture.get(LeadPauseService).resumeDue());
  const { text, stats } = await planOf(query!);
  expect(text).toContain('"indexName":"resumeAt_1_campaignId_1"');
  expect(stats.totalKeysExamined).toBe(0);
});

it('knows whether a campaign has leads to contact, however many a person has paused', async () => {
  const [left, done] = [campaignIds[1]!, campaignIds[2]!];
  await leads.updateMany(
    { workspaceId, campaignId: { $in: [left, done] } },
    { $set: { status: 'paused', stopReason: 'manual' } },
  );
  await leads.updateOne({ workspaceId, campaignId: left }, { $set: { resumeAt: new Date('2100-01-01') } });
  const [ofLeft, ofDone] = [await askedOf(left, true), await askedOf(done, false)];
  for (const { text } of [...ofLeft, ...ofDone]) expect(text).not.toContain('COLLSCAN');
  expect(ofLeft.map(({ stats }) => stats.totalKeysExamined)).toEqual([0, 1]);
  expect(ofDone.map(({ stats }) => stats.totalKeysExamined)).toEqual([0, 0, 0]);
});

/** Returns the plans of the queries that determine whether a campaign has leads to contact. */
async function askedOf(campaignId: string, answer: boolean) {
  const ids = [workspaceId, campaignId].map((id) => new Types.ObjectId(id)) as [Types.ObjectId, Types.ObjectId];
  const queries = await filtersOf(
    async () => expect(await fixture.get(DueLeadRepository).anyLeft(...ids)).toBe(answer),
    'findOne',
  );
  return Promise.all(queries.map(planOf));
}

async function walk(conditions: object): Promise<void> {
  const of = { workspaceId, campaignId: campaignIds[0]!, ...conditions };
  for await (const _batch of fixture.get(LeadRepository).walk(of, 10)) return;
}
