import { activated, newCampaign, readCampaign, readyCampaign, type Campaign } from '../campaigns/campaigns';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { Leads } from './leads';

describe('POST /v1/campaigns/:campaignId/leads/action', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let leads: Leads;
  let ids: string[];

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  /** Another campaign, with four leads. */
  const seeded = async () => {
    leads = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
    ids = await leads.add('a@x.example', 'b@x.example', 'c@x.example', 'd@x.example');
  };
  const counts = async () => dataOf<Campaign>(await readCampaign(platform, workspace.key, leads.campaignId)).leadCounts;
  const statuses = async () => (await leads.standing()).map(([email, status]) => `${email[0]} ${status}`);

  describe('with a valid request', () => {
    beforeEach(seeded);

    it('answers the action and the number of changed leads', async () => {
      const response = await leads.act({ action: 'pause', leadIds: [ids[0]] }).expect(200);
      expect(response.body).toEqual({ success: true, data: { action: 'pause', modifiedCount: 1 } });
      expect(await leads.get(ids[0]!)).toMatchObject({ status: 'paused', stopReason: 'manual', resumeAt: null });
      expect(await auditedActions(platform, workspace)).toContain('leads.paused');
    });

    it('pauses active leads only and resumes paused leads only', async () => {
      await leads.set(ids[2]!, { status: 'completed', stopReason: 'replied', dueAt: null });
      const before = await leads.get(ids[0]!);
      expect(await leads.modified({ action: 'pause', leadIds: [ids[0], ids[1], ids[2]] })).toBe(2);
      expect(await leads.modified({ action: 'pause', leadIds: [ids[0], ids[1], ids[2]] })).toBe(0);
      expect(await statuses()).toEqual(['a paused', 'b paused', 'c completed', 'd active']);
      expect((await leads.get(ids[0]!)).dueAt).toBe(before.dueAt);
      expect(await leads.modified({ action: 'resume', leadIds: ids })).toBe(2);
      expect(await leads.modified({ action: 'resume', leadIds: ids })).toBe(0);
      expect(await leads.get(ids[0]!)).toEqual({ ...before, updatedAt: expect.any(String) as unknown });
      expect((await leads.get(ids[2]!)).stopReason).toBe('replied');
    });

    it('deletes leads without an email, and keeps the others as removed with the reason of their end', async () => {
      await leads.set(ids[1]!, { sentCount: 1 });
      await leads.act({ action: 'pause', leadIds: [ids[2]] });
      expect(await leads.modified({ action: 'remove', leadIds: [ids[0], ids[1], ids[2]] })).toBe(3);
      expect(await statuses()).toEqual(['b removed', 'd active']);
      expect(await leads.stored(ids[0]!)).toBeNull();
      expect(await leads.get(ids[1]!)).toMatchObject({ stopReason: 'manual', dueAt: null, sentCount: 1 });
      expect(await counts()).toEqual({ total: 2, active: 1 });
      expect(await leads.modified({ action: 'remove', leadIds: ids })).toBe(1);
      expect(await leads.modified({ action: 'remove', leadIds: ids })).toBe(0);
      expect(await leads.modified({ action: 'resume', leadIds: ids })).toBe(0);
      expect(await counts()).toEqual({ total: 1, active: 0 });
    });

    it('ignores ids that are malformed, unknown, repeated, or of another campaign or workspace', async () => {
      const other = await platform.seed.workspace();
      const theirs = new Leads(platform, other, (await newCampaign(platform, other))._id);
      const [foreign] = await theirs.add('a@x.example');
      const sibling = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
      const [elsewhere] = await sibling.add('a@x.example');
      for (const action of ['pause', 'resume', 'remove']) {
        const leadIds = [foreign, elsewhere, UNKNOWN_ID, ...MALFORMED_IDS, '', ids[0], ids[0]!.toUpperCase()];
        expect(await leads.modified({ action, leadIds })).toBe(1);
      }
      expect(await theirs.standing()).toEqual([['a@x.example', 'active']]);
      expect(await sibling.standing()).toEqual([['a@x.example', 'active']]);
    });

    it('selects all leads, or those that match filters, except the excluded ones', async () => {
      await leads.set(ids[3]!, { sentCount: 1 });
      expect(await leads.modified({ action: 'pause', selectAll: true, filters: { contacted: true } })).toBe(1);
      expect(await statuses()).toEqual(['a active', 'b active', 'c active', 'd paused']);
      expect(await leads.modified({ action: 'pause', selectAll: true, filters: { status: 'paused' } })).toBe(0);
      expect(await leads.modified({ action: 'pause', selectAll: true, filters: { search: 'A@x' } })).toBe(1);
      expect(await leads.modified({ action: 'pause', selectAll: true, excludeIds: [ids[1], 'x'] })).toBe(1);
      expect(await statuses()).toEqual(['a paused', 'b active', 'c paused', 'd paused']);
      expect(await leads.modified({ action: 'resume', selectAll: true })).toBe(3);
      expect(await leads.modified({ action: 'remove', selectAll: true, filters: {}, excludeIds: [] })).toBe(4);
      expect(await statuses()).toEqual(['d removed']);
    });

    it('withholds claimed sends of paused and removed leads before it answers', async () => {
      const [one, two, three] = [
        await leads.claimed(ids[0]!, 'a@x.example'),
        await leads.claimed(ids[1]!, 'b@x.example'),
        await leads.claimed(ids[2]!, 'c@x.example'),
      ];
      await leads.set(ids[1]!, { sentCount: 1 });
      expect(await leads.modified({ action: 'pause', leadIds: [ids[0]] })).toBe(1);
      expect(await Promise.all([one, two, three].map((id) => leads.sendState(id)))).toEqual([
        'withheld',
        'claimed',
        'claimed',
      ]);
      expect(await leads.modified({ action: 'remove', leadIds: [ids[1], ids[2]] })).toBe(2);
      expect(await Promise.all([two, three].map((id) => leads.sendState(id)))).toEqual(['withheld', 'withheld']);
      expect(await statuses()).toEqual(['a paused', 'b removed', 'd active']);
      expect(await counts()).toEqual({ total: 3, active: 1 });
    });

    it('schedules the mailboxes of an active campaign when leads resume, and restarts a completed one', async () => {
      const { _id, mailboxes } = await readyCampaign(platform, workspace);
      const mine = new Leads(platform, workspace, _id);
      const [lead] = await mine.add('a@x.example');
      await mine.act({ action: 'pause', leadIds: [lead] });
      await activated(platform, workspace.workspaceId, _id);
      platform.clock.advance(60_000);
      expect(await mine.modified({ action: 'resume', selectAll: true })).toBe(1);
      expect(await mine.findLease(mailboxes[0]!)).toBeInstanceOf(Date);
      await mine.act({ action: 'pause', selectAll: true });
      await mine.complete();
      expect(await mine.modified({ action: 'resume', leadIds: [lead] })).toBe(1);
      expect(dataOf<Campaign>(await readCampaign(platform, workspace.key, _id)).status).toBe('active');
    });

    it('accepts an empty list of leadIds with selectAll, and its message names no minimum', async () => {
      expect(await leads.modified({ action: 'pause', selectAll: true, leadIds: [], excludeIds: ids.slice(1) })).toBe(1);
      const refused = await leads.act({ action: 'pause', selectAll: true, leadIds: 'x' });
      expect(refused.text).toContain('leadIds must be a list of at most 10000 lead ids');
    });

    it('accepts 10 000 ids and refuses one more', async () => {
      const many = (count: number) => Array.from({ length: count }, (_, at) => at.toString(16).padStart(24, '0'));
      expectFormB(await leads.act({ action: 'pause', leadIds: many(10_001) }), 400, 'VALIDATION_ERROR', 'leadIds');
      expect(await leads.modified({ action: 'pause', leadIds: [...many(9_999), ids[0]] })).toBe(1);
    });
  });

  describe('with an invalid request', () => {
    beforeAll(seeded);

    it.each([
      ['leadIds', { action: 'pause' }],
      ['leadIds', { action: 'pause', leadIds: [] }],
      ['leadIds', { action: 'pause', selectAll: false }],
      ['leadIds', { action: 'pause', leadIds: ['x'], selectAll: true }],
      ['leadIds', { action: 'pause', filters: {} }],
    ])('requires leadIds or selectAll, and names %s in %j', async (field, body) => {
      const response = await leads.act(body);
      expectFormB(response, 400, 'VALIDATION_ERROR', field);
      expect(response.text).toMatch(/leadIds or selectAll must be provided/);
    });

    it.each(['filters', 'excludeIds'])('accepts %s only together with selectAll', async (field) => {
      const value = field === 'filters' ? {} : ['x'];
      const response = await leads.act({ action: 'pause', leadIds: ['x'], [field]: value });
      expectFormB(response, 400, 'VALIDATION_ERROR', field);
      expect(response.text).toContain(`${field} can be given with selectAll: true only`);
    });

    it.each([
      ['action', { leadIds: ['x'] }],
      ['action', { action: 'complete', leadIds: ['x'] }],
      ['leadIds', { action: 'pause', leadIds: 'x' }],
      ['leadIds', { action: 'pause', leadIds: [{ $ne: null }] }],
      ['selectAll', { action: 'pause', selectAll: 'true' }],
      ['filters', { action: 'pause', selectAll: true, filters: 'x' }],
      ['filters', { action: 'pause', selectAll: true, filters: [] }],
      ['filters.status', { action: 'pause', selectAll: true, filters: { status: { $ne: null } } }],
      ['filters.workspaceId', { action: 'pause', selectAll: true, filters: { workspaceId: 'x' } }],
      ['filters.$where', { action: 'pause', selectAll: true, filters: { $where: '1' } }],
      ['filters.contacted', { action: 'pause', selectAll: true, filters: { contacted: 'false' } }],
      ['excludeIds', { action: 'pause', selectAll: true, excludeIds: [5] }],
    ])('refuses an invalid %s in %j', async (field, body) => {
      expectFormB(await leads.act(body), 400, 'VALIDATION_ERROR', field);
    });

    it('requires the bearer too, a key that may write, and a campaign of the workspace', async () => {
      const body = { action: 'pause', leadIds: ids };
      expectFormA(await platform.api.as(workspace.key).post(`${leads.path}/action`).send(body), 401);
      expectFormA(await leads.act(body, await platform.seed.workspaceKey(workspace.workspaceId, ['read'])), 403);
      const other = await platform.seed.workspace();
      expectFormB(await leads.act(body, other.key), 404, 'NOT_FOUND');
      for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
        expectFormB(await new Leads(platform, workspace, id).act(body), 404, 'NOT_FOUND');
      }
    });

    it('has changed nothing by any of these', async () => {
      expect(await counts()).toEqual({ total: 4, active: 4 });
    });
  });
});
