import { createHmac } from 'node:crypto';
import { EnrichmentItemsService } from '@domain/enrichment';
import { PersonalDataService } from '@domain/privacy';
import { TokenSignerService } from '@platform/secrets';
import { eventually, rounds } from '@testing';
import { type Response } from 'supertest';
import { expectFormB, type Platform, sharedPlatform, startPlatform } from '../harness';
import { dataOf } from '../workspaces/people';
import { pathOf, TOOL, ToolFixture } from './tools';
import { type Result, type Row } from './tool-responses';

const DAY_MS = 86_400_000;
const ALONE = 'ada@example.com';
const SECRET = 'canary-signing-secret';
/** Number of parallel copies of a result. */
const AT_ONCE = rounds(30, 10);
/** Limit for other requests in the platform that counts them; results may have ten times as many. */
const LIMIT = 2;

describe('the result of a row', () => {
  let platform: Platform;
  /** For tests that change neither tool, campaign, workspace nor time. */
  let shared: ToolFixture;
  let fixture: ToolFixture;
  /** Its leads, and those of them whose rows one job has already sent. */
  const waiting: { leadId: string; email: string }[] = [];
  const ready: { leadId: string; row: Row }[] = [];
  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    shared = await ToolFixture.make(platform);
    const emails = ['row', 'job'].flatMap((what) => Array.from({ length: 8 }, (_, at) => `${what}-${at}@example.com`));
    const ids = await shared.leads.add(...emails);
    const leads = emails.map((email, at) => ({ leadId: ids[at] ?? '', email }));
    waiting.push(...leads.slice(8));
    await shared.askForLeads('row-');
    const rows = await shared.rows(8);
    ready.push(...rows.map((row, at) => ({ leadId: ids[at] ?? '', row })));
  });
  afterAll(async () => {
    await platform.close();
    await shared.close();
  });
  beforeEach(() => {
    fixture = shared;
    shared.table.rows.length = 0;
  });
  afterEach(async () => {
    platform.clock.reset();
    if (fixture !== shared) await fixture.close();
  });

  function nextOf<T>(those: T[]): T {
    const next = those.shift();
    if (next === undefined) throw new Error('There are too few leads');
    return next;
  }
  /** A lead whose row a job of its own has sent; `alone` in a workspace of its own. */
  async function out({ alone = false } = {}) {
    if (alone) {
      fixture = await ToolFixture.make(platform);
      const [leadId = ''] = await fixture.leads.add(ALONE);
      waiting.unshift({ leadId, email: ALONE });
    }
    const { leadId, email } = nextOf(waiting);
    const before = await fixture.balance();
    const jobId = await fixture.askForLeads(email);
    const [row] = await fixture.rows(1);
    return { jobId, leadId, row, email, spent: async () => before - (await fixture.balance()) };
  }
  /** The visible parts of a response, except its time and request id. */
  const seen = ({ status, text, headers }: Response) => {
    const { date: _date, 'x-request-id': _id, etag: _etag, ...rest } = headers as Record<string, string>;
    const limits = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('ratelimit-')));
    return { status, text, limits };
  };

  it('is applied once, and every repetition gets the same answer', async () => {
    const { jobId, leadId, row, spent } = await out();
    const first = await fixture.answer(row, { title: 'CTO' });
    expect({ status: first.status, body: first.body as unknown }).toEqual({
      status: 200,
      body: { success: true, data: { received: true } },
    });
    for (const result of [{ title: 'CTO' }, { title: 'CEO' }, {}]) {
      expect(seen(await fixture.answer(row, result))).toEqual(seen(first));
    }
    expect(await fixture.leads.get(leadId)).toMatchObject({ jobTitle: 'CTO' });
    expect(await fixture.over(jobId)).toMatchObject({ metadata: { processedItems: 1, creditsUsed: 1 } });
    expect(await spent()).toBe(1);
    const entries = dataOf<{ target: { id: string } }[]>(await fixture.api.get('/v1/audit?action=lead.updated'));
    expect(entries.filter(({ target }) => target.id === leadId)).toHaveLength(1);
  });

  it('is charged once, although it arrives many times in parallel', async () => {
    const { jobId, leadId, row, spent } = await out();
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) =>
        fixture.answer(row, { title: `CEO ${at}` }).then(({ status }) => status),
      ),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await fixture.over(jobId)).toMatchObject({ metadata: { processedItems: 1, creditsUsed: 1 } });
    const [result] = await fixture.results(jobId);
    expect((await fixture.leads.get(leadId))['jobTitle']).toBe(result?.detail.fields?.[0]?.value);
    expect(await spent()).toBe(1);
  });

  it('gets the same 404 with a token that is forged, expired, for another purpose or missing', async () => {
    const { jobId, row } = await out();
    const path = pathOf(row);
    const token = path.split('/').at(-1) ?? '';
    const signer = platform.app.get(TokenSignerService);
    const payload = signer.verify('enrichment-callback', token)!;
    const withId = (place: number, id: string) => {
      const other = Buffer.from(payload);
      Buffer.from(id, 'hex').copy(other, place * 12);
      return signer.sign('enrichment-callback', other);
    };
    const unknownId = 'f'.repeat(24);
    const tokens = [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      token.slice(0, -4),
      signer.sign('unsubscribe', payload),
      ...[0, 1, 2].map((place) => withId(place, unknownId)),
      'x',
      'x'.repeat(5_000),
      encodeURIComponent('../../v1/workspaces'),
    ];
    const answers = [];
    for (const wrong of tokens) answers.push(await fixture.answerTo(path.replace(token, wrong)));
    platform.clock.advance(DAY_MS);
    answers.push(await fixture.answerTo(path));
    expectFormB(answers[0]!, 404, 'NOT_FOUND');
    for (const answer of answers) expect(seen(answer)).toEqual(seen(answers[0]!));
    expect(await fixture.job(jobId)).toMatchObject({ metadata: { creditsUsed: 0, successCount: 0 } });
  });

  it('reaches only the item of its own workspace, whatever workspace the token names', async () => {
    const mine = await out();
    const other = await ToolFixture.make(platform);
    try {
      const [leadId = ''] = await other.leads.add(mine.email);
      const jobId = await other.askForLeads();
      await other.rows(1);
      await shared.answer(mine.row, { title: 'CTO' }).expect(200);
      expect(await other.leads.get(leadId)).toMatchObject({ jobTitle: '' });
      expect(await other.job(jobId)).toMatchObject({ status: 'processing', metadata: { processedItems: 0 } });
    } finally {
      await other.close();
    }
  });

  it('requires a signature when the tool has a signing secret', async () => {
    const { leadId, row } = nextOf(ready);
    await fixture.set({ signingSecret: SECRET }).expect(200);
    const body = JSON.stringify({ title: 'CTO' });
    const signature = (text: string, secret = SECRET) =>
      `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
    const wrong = [
      undefined,
      '',
      'sha256=',
      signature('{}'),
      signature(body, 'x'.repeat(20)),
      signature(body).slice(7),
    ];
    for (const given of wrong) {
      const headers: Record<string, string> = given === undefined ? {} : { 'X-Enrichment-Signature': given };
      expectFormB(await fixture.answer(row, body, headers), 404, 'NOT_FOUND');
    }
    expect(await fixture.leads.get(leadId)).toMatchObject({ jobTitle: '' });
    await fixture.answer(row, body, { 'X-Enrichment-Signature': signature(body) }).expect(200);
    expect(await fixture.leads.get(leadId)).toMatchObject({ jobTitle: 'CTO' });
    await fixture.set({ signingSecret: null }).expect(200);
  });

  it('is refused when it is no object or too large, and may be sent again', async () => {
    const { leadId, row } = nextOf(ready);
    const wrong = [
      ['{"title":', 400],
      ['[{"title":"CTO"}]', 400],
      ['"CTO"', 400],
      ['null', 400],
      ['', 400],
      [JSON.stringify({ title: 'x'.repeat(300_000) }), 413],
    ] as const;
    for (const [body, status] of wrong) {
      const answer = await fixture.answer(row, body);
      expect([body.slice(0, 20), answer.status]).toEqual([body.slice(0, 20), status]);
    }
    await fixture.answer(row, { title: 'CTO' }).expect(200);
    expect(await fixture.leads.get(leadId)).toMatchObject({ jobTitle: 'CTO' });
  });

  it('may have any type and depth; an Idempotency-Key has no effect', async () => {
    const { leadId, row } = nextOf(ready);
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const body = `{"title":"CTO","__proto__":{"x":1},"constructor":"y","more":${deep}}`;
    const headers = { 'Content-Type': 'text/plain', 'Idempotency-Key': 'the same for every row' };
    await fixture.answer(row, body, headers).expect(200);
    expect(await fixture.leads.get(leadId)).toMatchObject({ jobTitle: 'CTO' });
  });

  it('changes and charges nothing after the job was cancelled', async () => {
    const { jobId, leadId, row, spent } = await out();
    await fixture.api.post(`/v1/enrichment/jobs/${jobId}/cancel`).expect(200);
    await fixture.answer(row, { title: 'CTO' }).expect(200);
    expect(await fixture.leads.get(leadId)).toMatchObject({ jobTitle: '' });
    expect(await fixture.job(jobId)).toMatchObject({ status: 'cancelled', metadata: { creditsUsed: 0 } });
    expect(await spent()).toBe(0);
  });

  it('is applied after the tool was switched off, and refused after it was removed', async () => {
    const { leadId, row } = await out({ alone: true });
    await fixture.api.delete(TOOL).expect(200);
    expectFormB(await fixture.answer(row, { title: 'CTO' }), 404, 'NOT_FOUND');
    await fixture.set({ enabled: false }).expect(200);
    await fixture.answer(row, { title: 'CTO' }).expect(200);
    expect(await fixture.leads.get(leadId)).toMatchObject({ jobTitle: 'CTO' });
  });

  it.each([
    ['was removed', false, (leadId: string) => fixture.leads.act({ action: 'remove', leadIds: [leadId] }).expect(200)],
    [
      'was deleted with its campaign',
      true,
      () => fixture.api.delete(`/v1/campaigns/${fixture.leads.campaignId}`).expect(200),
    ],
  ])('changes nothing and costs nothing when the lead %s', async (_what, alone, leave) => {
    const { jobId, leadId, row, spent } = await out({ alone });
    await leave(leadId);
    await fixture.answer(row, { title: 'CTO' }).expect(200);
    expect(await fixture.over(jobId)).toMatchObject({ metadata: { failedCount: 1, creditsUsed: 0 } });
    const [result] = await fixture.results(jobId);
    expect(result).toMatchObject({ result: 'failed', reasons: ['lead_gone'], detail: {} } satisfies Partial<Result>);
    expect(await spent()).toBe(0);
  });

  it('is neither applied nor stored when the person was erased', async () => {
    const { jobId, leadId, row, email, spent } = await out();
    await platform.app.get(PersonalDataService, { strict: false }).erase(fixture.workspace.workspaceId, email);
    await fixture.answer(row, { title: 'canary of the erased' }).expect(200);
    expect(await fixture.leads.get(leadId)).toMatchObject({ jobTitle: '' });
    expect(await fixture.over(jobId)).toMatchObject({
      status: 'completed',
      metadata: { failedCount: 1, creditsUsed: 0 },
    });
    expect(JSON.stringify(await fixture.results(jobId))).not.toContain('canary');
    expect(await spent()).toBe(0);
  });

  it.each([
    ['continues if it waited for the value', 'missing_variable', { status: 'active', stopReason: null }],
    ['stays paused if a person has paused it', 'manual', { status: 'paused', stopReason: 'manual' }],
  ])('fills a lead, which %s', async (_what, stopReason, expected) => {
    const { leadId, row } = nextOf(ready);
    await fixture.leads.act({ action: 'pause', leadIds: [leadId] }).expect(200);
    await fixture.leads.set(leadId, { stopReason });
    await fixture.answer(row, { funding: 'A' }).expect(200);
    expect(await fixture.leads.get(leadId)).toMatchObject({ ...expected, variables: { funding_round: 'A' } });
  });

  it('gets 404 in a deleted workspace', async () => {
    const { row } = await out({ alone: true });
    const { workspaceId, owner } = fixture.workspace;
    await platform.api.as(owner.key).delete(`/v1/workspaces/${workspaceId}`).expect(200);
    expectFormB(await fixture.answer(row, { title: 'CTO' }), 404, 'NOT_FOUND');
  });

  it('is applied although the worker crashed before it recorded the handover of the row', async () => {
    fixture = await ToolFixture.make(platform);
    const items = platform.worker!.get(EnrichmentItemsService, { strict: false });
    const dying = jest.spyOn(items, 'write').mockRejectedValueOnce(new Error('killed'));
    const jobId = await fixture.ask('ada@example.com', 'bob@example.com');
    const [ada] = await fixture.rows(2);
    await eventually('the worker crashes', () => dying.mock.calls.length > 0);
    await fixture.answer(ada, { title: 'CTO' }).expect(200);
    expect(await fixture.job(jobId)).toMatchObject({ metadata: { processedItems: 1, creditsUsed: 1 } });
    // Its claim has expired: another worker hands over the open rows, under the same ids.
    await fixture.anHourLater();
    const [, bob, again, none] = await fixture.rows(3);
    expect({ id: again?.['requestId'], none }).toEqual({ id: bob?.['requestId'], none: undefined });
    await Promise.all([bob, again].map((row) => fixture.answer(row, { title: 'CEO' }).expect(200)));
    expect(await fixture.over(jobId)).toMatchObject({ metadata: { processedItems: 2, creditsUsed: 2 } });
    expect(await fixture.balance()).toBe(48);
    dying.mockRestore();
  });

  it('leaves neither its token nor its values in the log', async () => {
    const { row } = nextOf(ready);
    await fixture.answer(row, { title: 'canary of a person' }).expect(200);
    const token = pathOf(row).split('/').at(-1) ?? 'none';
    expect(platform.logged()).not.toContain(token);
    expect(platform.logged()).not.toContain('canary');
  });
});

describe('the rate limit of results', () => {
  it('answers 429 only after ten times as many requests as others may send', async () => {
    const platform = await startPlatform({
      env: { RATE_LIMIT_REQUESTS: String(LIMIT), RATE_LIMIT_WINDOW_SECONDS: '3600' },
    });
    try {
      const statuses: number[] = [];
      for (let at = 0; at <= 10 * LIMIT; at += 1)
        statuses.push((await platform.api.post('/enrichment/callback/x')).status);
      expect(statuses).toEqual([...Array.from({ length: 10 * LIMIT }, () => 404), 429]);
      const { headers } = await platform.api.post('/enrichment/callback/x').expect(429);
      expect(headers).toMatchObject({ 'ratelimit-limit': String(10 * LIMIT), 'ratelimit-remaining': '0' });
      expect(Number((headers as Record<string, string>)['retry-after'])).toBeGreaterThan(0);
      // Requests of people from the same address are counted separately.
      await platform.api.post('/v1/invitations/accept').send({ token: 'x' }).expect(404);
    } finally {
      await platform.close();
    }
  });
});
