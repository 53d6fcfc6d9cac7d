import { systemScope } from '@domain/access';
import { LeadPauseService, LeadStopService } from '@domain/leads';
import { SuppressionsService, type SuppressionSource } from '@domain/suppressions';
import { eventually } from '@testing';
import { activated, newCampaign, readCampaign, readyCampaign, shut, type Campaign } from '../campaigns/campaigns';
import { type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf } from '../workspaces/people';
import { Leads } from './leads';

describe('the stops of leads', () => {
  let platform: Platform;
  /** For tests that select leads by id. */
  let shared: SeededWorkspace;
  let workspace: SeededWorkspace;
  let leads: Leads;
  let ids: string[];

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    shared = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  /** Another campaign, with four leads. */
  async function seeded(of: SeededWorkspace): Promise<void> {
    workspace = of;
    leads = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
    ids = await leads.add('a@x.example', 'b@mail.x.example', 'c@yx.example', 'd@z.example');
  }

  const stops = () => platform.app.get(LeadStopService, { strict: false });
  const stop = (...given: Parameters<LeadStopService['stop']> extends [string, ...infer Rest] ? Rest : never) =>
    stops().stop(workspace.workspaceId, ...given);
  const tallies = async () => {
    const statuses = (await leads.standing()).map(([, status]) => status);
    const count = (wanted: string) => statuses.filter((status) => status === wanted).length;
    return { active: count('active'), paused: count('paused'), ended: count('completed'), bounced: count('bounced') };
  };
  const counts = async (of = leads) =>
    dataOf<Campaign>(await readCampaign(platform, workspace.key, of.campaignId)).leadCounts;

  describe('in a whole workspace', () => {
    beforeEach(async () => seeded(await platform.seed.workspace()));

    it('apply to every campaign and subdomain before a suppression is acknowledged, and withhold claimed sends', async () => {
      const other = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
      const [twin] = await other.add('d@z.example', 'e@x.example');
      const send = await leads.claimed(ids[3]!, 'd@z.example');
      const spared = await leads.claimed(ids[2]!, 'c@yx.example');
      const body = { addresses: ['D@z.example'], domains: ['x.example'] };
      await platform.api.as(workspace.key).post('/v1/suppressions').send(body).expect(201);
      expect(await leads.standing()).toEqual([
        ['a@x.example', 'completed'],
        ['b@mail.x.example', 'completed'],
        ['c@yx.example', 'active'],
        ['d@z.example', 'completed'],
      ]);
      expect(await other.get(twin!)).toMatchObject({ status: 'completed', stopReason: 'suppressed', dueAt: null });
      expect([await leads.sendState(send), await leads.sendState(spared)]).toEqual(['withheld', 'claimed']);
      expect([await counts(), await counts(other)]).toEqual([
        { total: 4, active: 1 },
        { total: 2, active: 0 },
      ]);
    });

    it('leave other workspaces unchanged', async () => {
      const there = await platform.seed.workspace();
      const theirs = new Leads(platform, there, (await newCampaign(platform, there))._id);
      await theirs.add('a@x.example');
      expect(await stop({ emails: ['a@x.example'] }, { reason: 'complained' })).toBe(1);
      expect(await theirs.standing()).toEqual([['a@x.example', 'active']]);
    });

    it('have the source of the suppression as reason', async () => {
      const sources: [SuppressionSource, address: string, status: string, stopReason: string][] = [
        ['manual', 'a@x.example', 'completed', 'suppressed'],
        ['unsubscribe', 'b@mail.x.example', 'completed', 'unsubscribed'],
        ['bounce', 'c@yx.example', 'bounced', 'bounced_hard'],
        ['complaint', 'd@z.example', 'completed', 'complained'],
      ];
      const suppressions = platform.app.get(SuppressionsService, { strict: false });
      for (const [at, [source, address, status, stopReason]] of sources.entries()) {
        await suppressions.add(systemScope(workspace.workspaceId), { addresses: [address] }, { source });
        const lead = await leads.get(ids[at] ?? '');
        expect({ source, ...lead }).toMatchObject({ source, email: address, status, stopReason });
      }
    });
  });

  describe('in one campaign', () => {
    beforeEach(() => seeded(shared));

    it('record one event for each ended lead, however often they are repeated', async () => {
      expect(await stop({ leadIds: [ids[0]!.toUpperCase(), ids[1]!] }, { reason: 'replied' })).toBe(2);
      expect(await stop({ leadIds: [ids[0]!, ids[1]!] }, { reason: 'replied' })).toBe(0);
      expect(await stop({ leadIds: [ids[0]!] }, { reason: 'bounced_hard' })).toBe(0);
      await stop({ leadIds: [ids[2]!] }, { reason: 'failed' });
      const events = (await leads.events()).filter(({ type }) => type === 'lead.completed');
      const ended = events.map(({ leadId, data }) => [String(leadId), data]);
      expect(ended).toHaveLength(2);
      expect(ended).toContainEqual([ids[0], { email: 'a@x.example', status: 'completed', reason: 'replied' }]);
      expect(ended).toContainEqual([ids[1], { email: 'b@mail.x.example', status: 'completed', reason: 'replied' }]);
      expect(await tallies()).toEqual({ active: 1, paused: 1, ended: 2, bounced: 0 });
    });

    it('replace the reason `finished` by a later one, and never the other way round', async () => {
      await leads.set(ids[0]!, { sentCount: 1 });
      await stop({ leadIds: [ids[0]!] }, { reason: 'finished' });
      expect(await stop({ leadIds: [ids[0]!] }, { reason: 'bounced_hard' })).toBe(1);
      expect(await stop({ leadIds: [ids[0]!] }, { reason: 'replied' })).toBe(0);
      expect(await stop({ leadIds: [ids[0]!] }, { reason: 'suppressed' })).toBe(0);
      expect(await stop({ leadIds: [ids[0]!] }, { reason: 'failed' })).toBe(0);
      expect(await leads.get(ids[0]!)).toMatchObject({ status: 'bounced', stopReason: 'bounced_hard' });
      expect(await tallies()).toEqual({ active: 3, paused: 0, ended: 0, bounced: 1 });
      expect((await leads.events()).filter(({ type }) => type === 'lead.completed')).toHaveLength(1);
    });

    it('end a paused lead too, but do not replace the reason of its pause', async () => {
      await leads.act({ action: 'pause', leadIds: [ids[0]] });
      expect(await stop({ leadIds: [ids[0]!] }, { reason: 'failed' })).toBe(0);
      expect((await leads.get(ids[0]!)).stopReason).toBe('manual');
      expect(await stop({ emails: ['a@x.example'], campaignId: leads.campaignId }, { reason: 'unsubscribed' })).toBe(1);
      expect(await tallies()).toEqual({ active: 3, paused: 0, ended: 1, bounced: 0 });
    });

    it('change no lead for an empty selection, and reject a stop without conditions', async () => {
      expect(await stop({ emails: [] }, { reason: 'replied' })).toBe(0);
      expect(await stop({ leadIds: [], campaignId: leads.campaignId }, { reason: 'replied' })).toBe(0);
      expect(await stop({ campaignId: 'x' }, { reason: 'replied' })).toBe(0);
      await expect(stop({}, { reason: 'replied' })).rejects.toThrow('at least one condition');
      expect(await stop({ campaignId: leads.campaignId }, { reason: 'manual' })).toBe(4);
    });

    it('with a time to resume are pauses: the lead continues automatically at its due time, and its mailboxes are scheduled', async () => {
      const { _id, mailboxes } = await readyCampaign(platform, workspace, { sendingSchedule: shut() });
      const mine = new Leads(platform, workspace, _id);
      const [away, paused] = await mine.add('away@x.example', 'paused@x.example');
      await activated(platform, workspace.workspaceId, _id);
      const { dueAt } = await mine.get(away!);
      const resumeAt = new Date(platform.clock.now().getTime() + 3_600_000);
      await stop({ leadIds: [away!] }, { reason: 'auto_replied', resumeAt });
      await mine.act({ action: 'pause', leadIds: [paused] });
      expect(await mine.get(away!)).toMatchObject({
        status: 'paused',
        stopReason: 'auto_replied',
        resumeAt: resumeAt.toISOString(),
        dueAt,
      });
      await mine.complete();
      const resumption = platform.app.get(LeadPauseService, { strict: false });
      expect(await resumption.resumeDue()).toBe(0);
      await platform.tick('lead-resume'); // plans the first run
      platform.clock.advance(3_660_000);
      await platform.tick('lead-resume');
      const goesOn = async () => (await mine.get(away!)).status === 'active';
      await eventually('the lead is active', goesOn);
      expect((await mine.standing())[1]).toEqual(['paused@x.example', 'paused']);
      expect(await mine.get(away!)).toMatchObject({ stopReason: null, resumeAt: null });
      expect(await mine.findLease(mailboxes[0]!)).toBeInstanceOf(Date);
      expect(dataOf<Campaign>(await readCampaign(platform, workspace.key, _id)).status).toBe('active');
    });

    it('erase the leads of a deleted campaign, and no others', async () => {
      const other = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
      await other.add('a@x.example');
      await platform.api.as(workspace.key).delete(`/v1/campaigns/${leads.campaignId}`).expect(200);
      await platform.tick('campaign-erasure');
      platform.clock.advance(3 * 3_600_000);
      await platform.tick('campaign-erasure');
      const gone = async () => (await Promise.all(ids.map((id) => leads.stored(id)))).every((lead) => lead === null);
      await eventually('the leads are erased', gone);
      expect(await other.standing()).toHaveLength(1);
    });
  });
});
