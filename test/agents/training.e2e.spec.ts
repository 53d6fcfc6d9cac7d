import { completion, ModelServer } from '../../libs/adapters/llm/testing';
import { SiteServer } from '../../libs/adapters/web/testing';
import { expectFormB, inEachRow, type Platform, startPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO, UNKNOWN_ID } from '../workspaces/people';
import { type Agent, Agents } from './agents';

const TEXT = 'Acme Rail runs the timetables of forty regional railways and tells passengers the truth about delays.';
const PROFILE = {
  summary: 'Acme Rail makes timetables for regional railways.',
  offerings: ['Timetable editor'],
  audiences: ['Operators'],
  differentiators: [],
  proof: ['Forty railways'],
  faq: [{ question: 'Is there a trial?', answer: 'For 30 days.' }],
};
const page = (title: string, text: string, ...links: string[]) =>
  `<html><head><title>${title}</title></head><body><nav>${links.map((href) => `<a href="${href}">x</a>`).join('')}</nav><p>${text}</p></body></html>`;

describe('training an agent', () => {
  let platform: Platform;
  let models: ModelServer;
  let site: SiteServer;
  let agents: Agents;
  let agent: Agent;

  beforeAll(async () => {
    [models, site] = [await ModelServer.start(''), await SiteServer.start()];
    const llm = { LLM_BASE_URL: models.baseUrl, LLM_MODEL: 'test-model' };
    platform = await startPlatform({ worker: true, env: { OUTBOUND_ALLOW_PRIVATE: 'true', ...llm } });
  });
  afterAll(async () => {
    await platform.close();
    await Promise.all([models.close(), site.close()]);
  });
  beforeEach(async () => {
    site.reset();
    models.otherwise = completion(JSON.stringify(PROFILE));
    agents = await Agents.of(platform);
    agent = await agents.make();
  });

  const path = (rest: string) => `/v1/agents/${agent._id}/${rest}`;
  const train = (body: object = { url: site.url('/') }) => agents.api.post(path('train')).send(body);

  it('answers with a pending training, which ends with pages and a profile', async () => {
    site.serve({ '/': page('Acme', TEXT, '/about'), '/about': page('About', `${TEXT} In Chur.`) });
    const response = await train().expect(202);
    expect(dataOf(response)).toEqual({
      _id: ID,
      agentId: agent._id,
      url: site.url('/'),
      status: 'pending',
      progress: { found: 0, read: 0, skipped: 0, pages: 0 },
      error: null,
      profile: null,
      profileReason: null,
      startedAt: null,
      completedAt: null,
      createdAt: ISO,
    });
    await platform.drain();
    expect(dataOf(await agents.api.get(path('training')).expect(200))).toMatchObject({
      status: 'completed',
      progress: { found: 2, read: 2, skipped: 0, pages: 2 },
      profile: PROFILE,
      startedAt: ISO,
      completedAt: ISO,
    });
    const list = await agents.api.get(`${path('training/pages')}?limit=1`).expect(200);
    expect(list.body).toEqual({
      success: true,
      data: [{ url: site.url('/'), status: 'read', reason: null, title: 'Acme', characters: TEXT.length }],
      pagination: { limit: 1, total: 2, hasMore: true, nextCursor: expect.any(String) as unknown },
    });
    const { nextCursor } = (list.body as { pagination: { nextCursor: string } }).pagination;
    const rest = await agents.api.get(`${path('training/pages')}?limit=1&cursor=${nextCursor}`).expect(200);
    expect((rest.body as { data: { url: string }[] }).data.map(({ url }) => url)).toEqual([site.url('/about')]);
    expect(await auditedActions(platform, agents.workspace)).toContain('agent.training_started');
    const texts = await agents.api.get(path('texts')).expect(200);
    expect((texts.body as { data: unknown[] }).data).toMatchObject([
      { purpose: 'profile', promptVersion: 'profile-1' },
    ]);
  });

  it('is refused while another training runs', async () => {
    site.answer('/robots.txt', () => undefined);
    await train().expect(202);
    expectFormB(await train(), 409, 'CONFLICT');
    // A running training ends when its agent is deleted.
    await agents.api.delete(`/v1/agents/${agent._id}`).expect(200);
  });

  it('starts automatically for an agent that is created with a website', async () => {
    const created = await agents.make({ companyUrl: 'https://acme.invalid/x' });
    const training = await agents.api.get(`/v1/agents/${created._id}/training`).expect(200);
    expect(dataOf(training)).toMatchObject({ url: 'https://acme.invalid/' });
    await platform.drain();
    const ended = dataOf(await agents.api.get(`/v1/agents/${created._id}/training`).expect(200));
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'SITE_UNREADABLE' } });
  });

  it('refuses an address that is not a website', async () => {
    const cases: readonly (readonly [string, object])[] = [
      ['no url, for an agent without a website', {}],
      ['a file', { url: 'file:///etc/passwd' }],
      ['a user name', { url: 'https://a:b@acme.example/' }],
      ['no address', { url: 'acme' }],
      ['a number', { url: 5 }],
      ['501 characters', { url: `https://acme.example/${'x'.repeat(480)}` }],
    ];
    await inEachRow(cases, async ([, body]) => {
      expectFormB(await train(body), 400, 'VALIDATION_ERROR', 'url');
    });
    expectFormB(await agents.api.get(path('training')), 404, 'NOT_FOUND');
  });

  it('answers 404 for an unknown agent, and for an agent without a training', async () => {
    for (const id of [UNKNOWN_ID, 'x']) {
      const url = site.url('/');
      expectFormB(await agents.api.post(`/v1/agents/${id}/train`).send({ url }), 404, 'NOT_FOUND');
      expectFormB(await agents.api.get(`/v1/agents/${id}/training`), 404, 'NOT_FOUND');
      expectFormB(await agents.api.get(`/v1/agents/${id}/training/pages`), 404, 'NOT_FOUND');
    }
    expectFormB(await agents.api.get(path('training/pages')), 404, 'NOT_FOUND');
  });
});
