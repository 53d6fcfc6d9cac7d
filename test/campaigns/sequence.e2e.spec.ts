import { HookRegistry } from '@platform/hooks';
import { replaceListeners } from '@testing';
import { CAMPAIGN_HOOKS } from '@domain/campaigns';
import { expectFormA, expectFormB, inEachRow, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO, UNKNOWN_ID } from '../workspaces/people';
import { activated, type Campaign, newCampaign, readyCampaign, type Step } from './campaigns';

interface Sequence {
  campaignId: string;
  version: number;
  sequence: Step[];
  publishedAt: string | null;
}

describe('/v1/campaigns/:campaignId/sequence', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let campaign: Campaign;
  let published: Sequence;
  /** The number of leads at each step, as the leads domain counts it. */
  let leads = new Map<string, number>();

  beforeAll(async () => {
    platform = await startPlatform();
    const listener = { leadsByStep: () => Promise.resolve(leads) };
    replaceListeners(platform.app.get(HookRegistry, { strict: false }), CAMPAIGN_HOOKS, [listener]);
    workspace = await platform.seed.workspace();
  });
  beforeEach(async () => {
    leads = new Map();
    campaign = await readyCampaign(platform, workspace);
    published = dataOf<Sequence>(await get());
  });
  afterAll(() => platform.close());

  const at = (path = '', id = campaign._id) => `/v1/campaigns/${id}/sequence${path}`;
  const get = (query = '') => platform.api.as(workspace.key).get(at(query));
  const put = (body: object, id = campaign._id, key = workspace.key) => platform.api.as(key).put(at('', id)).send(body);
  const preview = (body: object) => platform.api.as(workspace.key).post(at('/preview')).send(body);

  it('reads the published version with ids, delays and variants', () => {
    expect(published).toEqual({
      campaignId: campaign._id,
      version: 1,
      publishedAt: ISO,
      sequence: [
        {
          _id: ID,
          type: 'email',
          name: 'Step 1',
          order: 0,
          delay: { value: 0, unit: 'days', workingDaysOnly: false },
          variants: [{ _id: ID, name: 'A', subject: 'Hello {{firstName}}', body: '<p>First</p>', weight: 1 }],
        },
        {
          _id: ID,
          type: 'email',
          name: 'Step 2',
          order: 1,
          delay: { value: 3, unit: 'days', workingDaysOnly: false },
          variants: [{ _id: ID, name: 'A', subject: '', body: '<p>Second</p>', weight: 1 }],
        },
      ],
    });
  });

  it('is empty, with version 0, before the first publication', async () => {
    const { _id } = await newCampaign(platform, workspace);
    const response = await platform.api.as(workspace.key).get(at('', _id));
    expect(dataOf(response)).toEqual({ campaignId: _id, version: 0, sequence: [], publishedAt: null });
    expect(dataOf<Sequence>(await put({ sequence: [{ subject: 'x', body: 'y' }], basedOn: 0 }, _id)).version).toBe(1);
  });

  it('publishes a version whose steps keep their ids, and earlier versions stay readable', async () => {
    const [first, second] = published.sequence;
    const sequence = [
      { ...first, name: 'Hello' },
      { name: 'New', body: '<p>New</p>', delay: { value: 12, unit: 'hours', workingDaysOnly: true } },
      { ...second, order: 2 },
    ];
    const next = dataOf<Sequence>(await put({ sequence, basedOn: 1 }).expect(200));
    expect(next).toMatchObject({ version: 2, campaignId: campaign._id });
    expect(next.sequence).toMatchObject([
      { ...first, name: 'Hello' },
      { name: 'New', order: 1, delay: { value: 12, unit: 'hours', workingDaysOnly: true } },
      { ...second, order: 2 },
    ]);
    expect(dataOf(await get())).toEqual(next);
    expect(dataOf(await get('?version=1'))).toEqual(published);
    expectFormB(await get('?version=3'), 404, 'NOT_FOUND');
    expectFormB(await get('?version=0'), 400, 'VALIDATION_ERROR', 'version');
    expect(await auditedActions(platform, workspace)).toContain('campaign.sequence_published');
  });

  it('creates no version when nothing changes', async () => {
    const { sequence } = published;
    expect(dataOf(await put({ sequence }))).toEqual(published);
  });

  it('lists the versions, newest first', async () => {
    await put({ sequence: [{ subject: 'x', body: 'y' }] }).expect(200);
    const response = await platform.api.as(workspace.key).get(at('/versions'));
    expect(response.body).toEqual({
      success: true,
      data: [
        { version: 2, publishedBy: null, publishedAt: ISO },
        { version: 1, publishedBy: null, publishedAt: ISO },
      ],
      pagination: { limit: 25, total: 2, hasMore: false, nextCursor: null },
    });
  });

  it('accepts a removed step back under its id', async () => {
    const [first, second] = published.sequence;
    await put({ sequence: [first] }).expect(200);
    const again = dataOf<Sequence>(await put({ sequence: [first, second] }));
    expect(again).toMatchObject({ version: 3, sequence: [{ _id: first!._id }, { _id: second!._id }] });
  });

  it('refuses unknown and repeated ids', async () => {
    const [first, second] = published.sequence;
    const other = await readyCampaign(platform, workspace);
    const foreign = dataOf<Sequence>(await platform.api.as(workspace.key).get(at('', other._id))).sequence[0]!;
    const wrong: [object[], string][] = [
      [[{ ...first, _id: UNKNOWN_ID }], 'sequence.0'],
      [[{ ...first, _id: foreign._id }], 'sequence.0'],
      [[first!, { ...first, order: 1 }], 'sequence.1'],
      [
        [{ ...first, variants: second!.variants.map((variant) => ({ ...variant, subject: 'x' })) }],
        'sequence.0.variants.0',
      ],
    ];
    for (const [sequence, field] of wrong) {
      const response = await put({ sequence });
      expect(response.status).toBe(400);
      expect(JSON.stringify(response.body)).toContain(`"${field}._id"`);
    }
    expect(dataOf(await get())).toEqual(published);
  });

  it('refuses an edit of an outdated version', async () => {
    await put({ sequence: [{ subject: 'x', body: 'y' }] }).expect(200);
    const { sequence } = published;
    expectFormB(await put({ sequence, basedOn: 1 }), 409, 'CONFLICT');
    expectFormB(await preview({ sequence, basedOn: 1 }), 409, 'CONFLICT');
  });

  it('gives each of two parallel publications a version of its own', async () => {
    const bodies = ['one', 'two'].map((subject) => ({ sequence: [{ subject, body: 'y' }] }));
    const versions = await Promise.all(bodies.map(async (body) => dataOf<Sequence>(await put(body)).version));
    expect(versions.toSorted((a, b) => a - b)).toEqual([2, 3]);
  });

  it('publishes to an active campaign, and refuses an archived one', async () => {
    await activated(platform, workspace.workspaceId, campaign._id);
    await put({ sequence: [{ subject: 'x', body: 'y' }] }).expect(200);
    await platform.api.as(workspace.key).post(`/v1/campaigns/${campaign._id}/pause`).expect(200);
    await platform.api.as(workspace.key).post(`/v1/campaigns/${campaign._id}/archive`).expect(200);
    expectFormB(await put({ sequence: [{ subject: 'z', body: 'y' }] }), 409, 'CONFLICT');
  });

  it('previews the effect on the leads at each step, and stores nothing', async () => {
    const [first, second] = published.sequence;
    leads = new Map([
      [first!._id, 7],
      [second!._id, 5],
    ]);
    const sequence = [
      { ...second, order: 0, delay: { value: 0 }, variants: [{ subject: 'Now first', body: '<p>x</p>' }] },
      { name: 'New', body: '<p>New</p>' },
    ];
    expect(dataOf(await preview({ sequence }).expect(200))).toEqual({
      version: 1,
      leadsAffected: 12,
      steps: [
        {
          stepId: second!._id,
          name: 'Step 2',
          change: 'changed',
          orderNow: 1,
          orderThen: 0,
          leads: 5,
          effect: 'They are sent the step as it is then.',
        },
        {
          stepId: null,
          name: 'New',
          change: 'added',
          orderNow: null,
          orderThen: 1,
          leads: 0,
          effect: 'Leads for whom a later step is next are not sent it.',
        },
        {
          stepId: first!._id,
          name: 'Step 1',
          change: 'removed',
          orderNow: 0,
          orderThen: null,
          leads: 7,
          effect: 'They go on with “Step 2”.',
        },
      ],
    });
    const kept = dataOf<{ steps: { change: string }[] }>(await preview({ sequence: published.sequence }));
    expect(kept).toMatchObject({ leadsAffected: 0, steps: [{ change: 'kept', leads: 7 }, { change: 'kept' }] });
    expect(dataOf(await get())).toEqual(published);
  });

  it('refuses invalid input, for publication and preview', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{}, 'sequence'],
      [{ sequence: [] }, 'sequence'],
      [{ sequence: [{ body: 'y' }] }, 'sequence.0.subject'],
      [{ sequence: [{ subject: 'x', body: '{{ x' }] }, 'sequence.0.body'],
      [{ sequence: [{ subject: 'x', body: 'y' }], basedOn: '1' }, 'basedOn'],
      [{ sequence: [{ subject: 'x', body: 'y' }], version: 1 }, 'version'],
    ];
    await inEachRow(cases, async ([body, field]) => {
      expectFormB(await put(body), 400, 'VALIDATION_ERROR', field);
      expectFormB(await preview(body), 400, 'VALIDATION_ERROR', field);
    });
  });

  it('answers 404 Form B to an unknown id and another workspace’s campaign, 403 to a read-only key', async () => {
    const foreign = await newCampaign(platform, await platform.seed.workspace());
    const body = { sequence: [{ subject: 'x', body: 'y' }] };
    for (const id of [UNKNOWN_ID, 'x', foreign._id]) {
      expectFormB(await put(body, id), 404, 'NOT_FOUND');
      for (const path of ['', '/versions']) {
        expectFormB(await platform.api.as(workspace.key).get(at(path, id)), 404, 'NOT_FOUND');
      }
      expectFormB(await platform.api.as(workspace.key).post(at('/preview', id)).send(body), 404, 'NOT_FOUND');
    }
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    expectFormA(await put(body, campaign._id, readOnly), 403, 'permission');
  });
});
