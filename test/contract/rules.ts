import { newCampaign } from '../campaigns/campaigns';
import { Agents } from '../agents/agents';
import { Leads } from '../leads/leads';
import { dataOf } from '../workspaces/people';
import { type Endpoint } from './contract';
import { type ContractRun } from './contract-run';

type Rule = (run: ContractRun, endpoint: Endpoint) => Promise<void>;

interface JobState {
  status: string;
  metadata: { processedItems: number };
  startedAt: string | null;
  completedAt: string | null;
}

interface TestState {
  status: string;
  overallSummary: object | null;
  startedAt: string | null;
  completedAt: string | null;
}

/** The rules that the contract states as sentences, by these sentences (contract.json). */
const RULES: Readonly<Record<string, Rule>> = {
  'deletes the webhook permanently': async (run, endpoint) => {
    const subject = await run.usual(endpoint);
    expect((await run.ask(endpoint, subject)).status).toBe(200);
    const read = await run.fixture.platform.api
      .as(run.fixture.workspace.key)
      .get(`/v1/webhooks/${subject.ids?.['id']}`);
    expect(read.status).toBe(404);
  },

  'leadIds are the leads of the action': async (run) => {
    const { leads, ids } = await threeLeads(run);
    expect(await leads.modified({ action: 'pause', leadIds: ids.slice(1) })).toBe(2);
    expect(await statuses(leads)).toEqual(['active', 'paused', 'paused']);
  },
  'selectAll means all leads of the campaign': async (run) => {
    const { leads } = await threeLeads(run);
    expect(await leads.modified({ action: 'pause', selectAll: true })).toBe(3);
    expect(await statuses(leads)).toEqual(['paused', 'paused', 'paused']);
  },
  'excludeIds are left out of the selection': async (run) => {
    const { leads, ids } = await threeLeads(run);
    expect(await leads.modified({ action: 'pause', selectAll: true, excludeIds: ids.slice(0, 1) })).toBe(2);
    expect(await statuses(leads)).toEqual(['active', 'paused', 'paused']);
  },
  'filters narrow the selection': async (run) => {
    const { leads, ids } = await threeLeads(run);
    await leads.modified({ action: 'pause', leadIds: ids.slice(0, 1) });
    expect(await leads.modified({ action: 'remove', selectAll: true, filters: { status: 'paused' } })).toBe(1);
    expect(await statuses(leads)).toEqual(['active', 'active']);
  },

  'while a test is pending, overallSummary, startedAt and completedAt are null; then they are not': async (
    run,
    endpoint,
  ) => {
    const tests = run.envelopes(endpoint).map(({ data }) => data as TestState);
    expect(tests.map(({ status }) => status).toSorted()).toEqual(['completed', 'pending']);
    for (const { status, overallSummary, startedAt, completedAt } of tests) {
      const isNull = status === 'pending';
      expect([overallSummary, startedAt, completedAt].map((value) => value === null)).toEqual([isNull, isNull, isNull]);
    }
  },

  'while a job is pending, startedAt and completedAt are null and processedItems is 0': async (run, endpoint) => {
    expect(jobs(run, endpoint, 'pending')).toMatchObject([
      { startedAt: null, completedAt: null, metadata: { processedItems: 0 } },
    ]);
  },
  'while a job is processing, startedAt is set and completedAt is null': async (run, endpoint) => {
    expect(jobs(run, endpoint, 'processing')).toMatchObject([
      { startedAt: expect.any(String) as string, completedAt: null },
    ]);
  },

  'all members are returned, not paginated': async (run, endpoint) => {
    const [envelope] = run.envelopes(endpoint);
    const { members } = dataOf<{ members: { userId: string }[] }>(
      await run.fixture.platform.api
        .as(run.fixture.workspace.key)
        .get(`/v1/workspaces/${run.fixture.workspace.workspaceId}`),
    );
    const listed = (envelope?.data ?? []) as { userId: string }[];
    expect(listed.map(({ userId }) => userId)).toEqual(members.map(({ userId }) => userId));
    expect(envelope).not.toHaveProperty('pagination');
  },

  'creating an agent costs 10 credits': async (run) => {
    const agents = await Agents.of(run.fixture.platform, 25);
    await agents.make();
    expect(await agents.balance()).toBe(15);
  },
  'the first agent of a workspace becomes its default, a later one only with isDefault': async (run) => {
    const agents = await Agents.of(run.fixture.platform);
    const [first, second] = [await agents.make(), await agents.make()];
    expect([first.isDefault, second.isDefault]).toEqual([true, false]);
    const third = await agents.make({ isDefault: true });
    expect(await agents.defaults()).toEqual([third._id]);
  },
  'initial training is included with companyUrl or companyInfo.domain, and costs no more': async (run) => {
    const agents = await Agents.of(run.fixture.platform, 30);
    const made = [
      await agents.make({ companyUrl: 'https://acme.example/about' }),
      await agents.make({ companyInfo: { domain: 'acme.example' } }),
      await agents.make(),
    ];
    const training = [];
    for (const { _id } of made) training.push((await agents.details(_id)).training?.status ?? null);
    expect([training, await agents.balance()]).toEqual([['pending', 'pending', null], 0]);
  },
};

/** @throws Error for a rule without a check */
export async function expectRule(rule: string, run: ContractRun, endpoint: Endpoint): Promise<void> {
  const test = RULES[rule];
  if (!test) throw new Error(`There is no check for the rule: ${rule}`);
  await test(run, endpoint);
}

async function threeLeads({ fixture: { platform, workspace } }: ContractRun): Promise<{ leads: Leads; ids: string[] }> {
  const leads = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
  return { leads, ids: await leads.add('ada@leads.example', 'bob@leads.example', 'eve@leads.example') };
}

async function statuses(leads: Leads): Promise<string[]> {
  return (await leads.standing()).map(([, status]) => status);
}

function jobs(run: ContractRun, endpoint: Endpoint, status: string): JobState[] {
  const all = run.envelopes(endpoint).map(({ data }) => data as JobState);
  return all.filter((job) => job.status === status);
}
