import { rounds } from '@testing';
import { REFUSALS } from '../../libs/adapters/enrichment/testing';
import { expectFormB, type Platform, startPlatform } from '../harness';
import { auditedActions } from '../workspaces/people';
import { TOOL, ToolFixture } from './tools';

const HOUR_MS = 3_600_000;
/** Rows of a long job: more than are in transit at once, and a multiple of what a busy tool accepts. */
const ROWS = rounds(50, 20);
/** Number of rows that a busy tool accepts at a time. */
const TAKEN = rounds(5, 10);

describe('a job that requests data of people from the enrichment tool', () => {
  let platform: Platform;
  /** For tests that change neither its tool nor the time. */
  let shared: ToolFixture;
  let fixture: ToolFixture;
  let serial = 0;
  beforeAll(async () => {
    platform = await startPlatform({ worker: true, env: { PUBLIC_URL: 'https://outreach.example.com/base/' } });
    shared = await ToolFixture.make(platform);
  });
  afterAll(async () => {
    await platform.close();
    await shared.close();
  });
  beforeEach(() => {
    fixture = shared;
    shared.table.rows.length = 0;
    shared.table.tokens.length = 0;
  });
  afterEach(async () => {
    platform.clock.reset();
    if (fixture !== shared) await fixture.close();
  });

  /** A person whom no other test uses. */
  const newAddress = (name = 'ada') => `${name}-${(serial += 1)}@example.com`;
  /** Counts the rows from now on. */
  async function counted(): Promise<() => Promise<number>> {
    const before = await fixture.balance();
    return async () => before - (await fixture.balance());
  }

  it('submits a row for each lead, with its known data and the callback address', async () => {
    const email = newAddress();
    const person = { firstName: 'Ada', lastName: 'Lovelace', companyName: 'Engines', city: 'London', country: 'UK' };
    await fixture.leads.post({ email, ...person, variables: { secret: 'not submitted' } }).expect(201);
    const jobId = await fixture.askForLeads(email);
    const [row] = await fixture.rows(1);
    expect(row).toEqual({
      requestId: expect.stringMatching(/^[\da-f]{24}$/) as string,
      email,
      ...person,
      jobTitle: '',
      phone: '',
      website: '',
      linkedinUrl: '',
      callbackUrl: expect.stringMatching(
        /^https:\/\/outreach\.example\.com\/base\/enrichment\/callback\/[\w-]+$/,
      ) as string,
    });
    expect(fixture.table.tokens).toEqual([fixture.table.token]);
    expect(await fixture.job(jobId)).toMatchObject({ status: 'processing', metadata: { processedItems: 0 } });
  });

  it('fills the lead by the mapping, and charges one credit', async () => {
    const email = newAddress();
    const [leadId = ''] = await fixture.leads.add(email);
    const spent = await counted();
    const jobId = await fixture.askForLeads(email);
    const [row] = await fixture.rows(1);
    const found = { title: ' CTO ', company: { name: 'Engines Ltd' }, funding: 5_000_000, email: 'eve@example.com' };
    await fixture.answer(row, { ...found, status: 'removed', workspaceId: 'x', sentCount: 9 }).expect(200);
    expect(await fixture.leads.get(leadId)).toMatchObject({
      email,
      jobTitle: 'CTO',
      companyName: 'Engines Ltd',
      status: 'active',
      sentCount: 0,
      variables: { funding_round: '5000000' },
    });
    expect(await fixture.over(jobId)).toMatchObject({
      status: 'completed',
      metadata: { successCount: 1, creditsUsed: 1 },
    });
    expect(await fixture.results(jobId)).toMatchObject([
      {
        email,
        leadId,
        result: 'enriched',
        reasons: ['found'],
        creditsUsed: 1,
        detail: {
          fields: [
            { name: 'jobTitle', value: 'CTO', outcome: 'filled' },
            { name: 'companyName', value: 'Engines Ltd', outcome: 'filled' },
            { name: 'funding_round', value: '5000000', outcome: 'filled' },
          ],
        },
      },
    ]);
    expect(await spent()).toBe(1);
    expect(await auditedActions(platform, fixture.workspace)).toContain('lead.updated');
  });

  it.each([
    [false, { jobTitle: 'CEO', variables: { funding_round: 'none' } }, ['kept', 'filled', 'kept']],
    [true, { jobTitle: 'CTO', variables: { funding_round: 'A' } }, ['filled', 'filled', 'filled']],
  ])('overwrites existing values only if the settings allow it: %s', async (overwrite, expected, outcomes) => {
    if (overwrite) fixture = await ToolFixture.make(platform, { overwrite });
    const lead = { email: newAddress(), jobTitle: 'CEO', variables: { funding_round: 'none' } };
    await fixture.leads.post(lead).expect(201);
    const jobId = await fixture.askForLeads(lead.email);
    const [row] = await fixture.rows(1);
    await fixture.answer(row, { title: 'CTO', company: { name: 'Engines' }, funding: 'A' }).expect(200);
    const [stored] = (await fixture.leads.list(`?search=${lead.email}`)).data;
    expect(stored).toMatchObject({ ...expected, companyName: 'Engines' });
    const [result] = await fixture.results(jobId);
    expect(result?.detail.fields?.map(({ outcome }) => outcome)).toEqual(outcomes);
  });

  it('stores no value that the API would refuse, and reports it', async () => {
    fixture = await ToolFixture.make(platform, {
      mapping: { title: 'jobTitle', note: 'note', tags: 'tags', phone: 'phone' },
    });
    const [leadId = ''] = await fixture.leads.add('ada@example.com');
    const jobId = await fixture.askForLeads();
    const [row] = await fixture.rows(1);
    const strange = { title: 'x'.repeat(201), note: 'n'.repeat(2_001), tags: ['a'], phone: 'nul\u0000' };
    await fixture.answer(row, strange).expect(200);
    const { jobTitle, phone, variables } = await fixture.leads.get(leadId);
    expect({ jobTitle, phone, variables }).toEqual({ jobTitle: '', phone: '', variables: {} });
    const [result] = await fixture.results(jobId);
    expect(result).toMatchObject({ result: 'unknown', reasons: ['refused'], creditsUsed: 0 });
    expect(result?.detail.fields?.map(({ name, outcome, reason }) => [name, outcome, reason])).toEqual([
      ['jobTitle', 'refused', 'must be a text of at most 200 characters'],
      ['note', 'refused', 'must be a text of at most 2000 characters'],
      ['phone', 'refused', 'must be well-formed text without null characters'],
      ['tags', 'refused', 'must be a text, a number, or true or false'],
    ]);
    expect(await fixture.balance()).toBe(50);
  });

  it('costs nothing when the tool finds nothing', async () => {
    const spent = await counted();
    const jobId = await fixture.ask(newAddress('ada'), newAddress('bob'));
    const [ada, bob] = await fixture.rows(2);
    await fixture.answer(ada, {}).expect(200);
    await fixture.answer(bob, { title: '', company: null, other: 'x' }).expect(200);
    expect(await fixture.over(jobId)).toMatchObject({
      status: 'completed',
      metadata: { successCount: 2, creditsUsed: 0 },
    });
    const results = await fixture.results(jobId);
    expect(results.map(({ result, reasons }) => [result, reasons])).toEqual([
      ['unknown', ['not_found']],
      ['unknown', ['not_found']],
    ]);
    expect(await spent()).toBe(0);
  });

  it('shows the findings for addresses without a lead, and changes no lead', async () => {
    const email = newAddress();
    const [leadId = ''] = await fixture.leads.add(email);
    const jobId = await fixture.ask(email.replace('ada', 'ADA'), 'no address');
    const [row] = await fixture.rows(1);
    expect(row).toMatchObject({ email, firstName: '' });
    await fixture.answer(row, { title: 'CTO' }).expect(200);
    expect(await fixture.over(jobId)).toMatchObject({ metadata: { successCount: 1, failedCount: 1, creditsUsed: 1 } });
    const results = await fixture.results(jobId);
    expect(results.map(({ result, reasons }) => [result, reasons])).toEqual([
      ['enriched', ['found']],
      ['failed', ['invalid_address']],
    ]);
    expect(results[0]?.detail.fields).toEqual([{ name: 'jobTitle', value: 'CTO', outcome: 'found' }]);
    expect(await fixture.leads.get(leadId)).toMatchObject({ jobTitle: '' });
  });

  it('is refused without a tool, and fails when the tool is switched off later', async () => {
    fixture = await ToolFixture.make(platform, { enabled: false });
    const body = { type: 'person_enrichment', emails: ['ada@example.com'] };
    const create = () => fixture.api.post('/v1/enrichment/jobs').send(body);
    expectFormB(await create(), 409, 'ENRICHMENT_TOOL_NOT_CONFIGURED');
    await fixture.api.delete(TOOL).expect(200);
    expectFormB(await create(), 409, 'ENRICHMENT_TOOL_NOT_CONFIGURED');
    expect(await fixture.balance()).toBe(50);
    await fixture.set().expect(200);
    fixture.table.next('cut');
    const jobId = await fixture.ask('ada@example.com');
    await fixture.sweep();
    await platform.drain();
    await fixture.api.delete(TOOL).expect(200);
    platform.clock.advance(HOUR_MS);
    expect(await fixture.over(jobId)).toMatchObject({ status: 'failed', error: { code: 'TOOL_NOT_CONFIGURED' } });
    expect(await fixture.balance()).toBe(50);
  });

  it.each([
    ['credentials', /rejects the token.*answered 401/],
    ['no_table', /accepts no rows.*answered 404/],
    ['quota', /limit of rows.*answered 402/],
  ] as const)('fails with a reason that people understand: %s', async (reason, message) => {
    fixture = await ToolFixture.make(platform);
    fixture.table.next(...Array.from({ length: 5 }, () => REFUSALS[reason]));
    const jobId = await fixture.ask(...Array.from({ length: 12 }, (_, at) => `p${at}@example.com`));
    const { status, error } = await fixture.over(jobId);
    expect({ status, error }).toEqual({
      status: 'failed',
      error: { code: 'TOOL_NOT_USABLE', message: expect.stringMatching(message) as string },
    });
    // Only the rows in transit, and none after them.
    expect(fixture.table.tokens.length).toBeLessThan(6);
    expect(JSON.stringify(error)).not.toContain('canary');
    expect(await fixture.balance()).toBe(50);
  });

  it('continues after a rejected row', async () => {
    const spent = await counted();
    fixture.table.next(REFUSALS.rejected);
    const jobId = await fixture.ask(newAddress('ada'), newAddress('bob'));
    const [row] = await fixture.rows(1);
    await fixture.answer(row, { title: 'CTO' }).expect(200);
    expect(await fixture.over(jobId)).toMatchObject({
      status: 'completed',
      metadata: { successCount: 1, failedCount: 1 },
    });
    const reasons = (await fixture.results(jobId)).flatMap((result) => result.reasons);
    expect(reasons.toSorted()).toEqual(['found', 'row_refused']);
    expect(await spent()).toBe(1);
  });

  it('waits as long as a busy tool requests, and loses no row, however often that happens', async () => {
    fixture = await ToolFixture.make(platform, {}, 100);
    platform.clock.freeze(new Date());
    fixture.table.rowsAtOnce = TAKEN;
    const jobId = await fixture.ask(...Array.from({ length: ROWS }, (_, at) => `p${at}@example.com`));
    for (let expected = TAKEN; expected <= ROWS; expected += TAKEN) {
      await fixture.rows(expected);
      const before = fixture.table.tokens.length;
      fixture.table.rowsAtOnce = TAKEN;
      await fixture.sweep();
      await platform.drain();
      expect({ rows: fixture.table.rows.length, tried: fixture.table.tokens.length }).toEqual({
        rows: expected,
        tried: before,
      });
      // Includes the time after which the sweep treats a job as late.
      platform.clock.advance(40_000);
    }
    expect(fixture.table.mostAtOnce).toBeLessThanOrEqual(16);
    expect(await fixture.job(jobId)).toMatchObject({ status: 'processing', metadata: { failedCount: 0 } });
    const ids = fixture.table.rows.map((row) => row['requestId']);
    expect(new Set(ids).size).toBe(ROWS);
    await Promise.all(fixture.table.rows.map((row) => fixture.answer(row, { title: 'CTO' }).expect(200)));
    expect(await fixture.over(jobId)).toMatchObject({ status: 'completed', metadata: { creditsUsed: ROWS } });
    expect(await fixture.balance()).toBe(100 - ROWS);
  });

  it('retries a row without an answer, under the same id', async () => {
    fixture = await ToolFixture.make(platform);
    fixture.table.next('kept but cut', REFUSALS.server);
    const jobId = await fixture.ask('ada@example.com');
    await fixture.rows(1);
    await fixture.anHourLater();
    expect(fixture.table.rows).toHaveLength(1);
    await fixture.anHourLater();
    const [first, second] = await fixture.rows(2);
    expect(second?.['requestId']).toBe(first?.['requestId']);
    // Either of the two may be answered; the other changes nothing.
    await fixture.answer(first, { title: 'CTO' }).expect(200);
    await fixture.answer(second, { title: 'CEO' }).expect(200);
    expect(await fixture.over(jobId)).toMatchObject({ metadata: { successCount: 1, creditsUsed: 1 } });
    expect((await fixture.results(jobId))[0]?.detail.fields).toMatchObject([{ value: 'CTO' }]);
    expect(await fixture.balance()).toBe(49);
  });

  it('gives up a row without a timely result, and releases the credit', async () => {
    fixture = await ToolFixture.make(platform, { waitHours: 2 });
    const jobId = await fixture.ask('ada@example.com');
    const [row] = await fixture.rows(1);
    platform.clock.advance(2 * HOUR_MS - 60_000);
    await fixture.sweep();
    await platform.drain();
    expect(await fixture.job(jobId)).toMatchObject({ status: 'processing' });
    // The sweep finds work that is some seconds late.
    platform.clock.advance(70_000);
    expect(await fixture.over(jobId)).toMatchObject({
      status: 'completed',
      metadata: { failedCount: 1, creditsUsed: 0 },
    });
    expect(await fixture.results(jobId)).toMatchObject([{ result: 'failed', reasons: ['no_answer'], creditsUsed: 0 }]);
    expectFormB(await fixture.answer(row, { title: 'CTO' }), 404, 'NOT_FOUND');
    expect(fixture.table.rows).toHaveLength(1);
    expect(await fixture.balance()).toBe(50);
  });

  it('sends the tool nothing about deleted leads', async () => {
    fixture = await ToolFixture.make(platform);
    const [ada = ''] = await fixture.leads.add('ada@example.com', 'bob@example.com');
    fixture.table.next(REFUSALS.rate_limited);
    fixture.table.rowsAtOnce = 0;
    const jobId = await fixture.askForLeads();
    await fixture.sweep();
    await platform.drain();
    await fixture.leads.act({ action: 'remove', leadIds: [ada] }).expect(200);
    fixture.table.rowsAtOnce = 10;
    platform.clock.advance(HOUR_MS);
    const [row] = await fixture.rows(1);
    expect(row).toMatchObject({ email: 'bob@example.com' });
    await fixture.answer(row, { title: 'CTO' }).expect(200);
    expect(await fixture.over(jobId)).toMatchObject({ metadata: { successCount: 1, failedCount: 1, creditsUsed: 1 } });
    expect((await fixture.results(jobId))[0]).toMatchObject({ result: 'failed', reasons: ['lead_gone'] });
  });
});
