import { systemScope } from '@domain/access';
import { EventRelayService, EventsService, type EventType } from '@domain/events';
import { Types } from 'mongoose';
import { HubSpotServer } from '../../libs/adapters/crm/testing';
import { happening } from '../../libs/domain/events/testing';
import { expectFormA, expectFormB, type Platform, startPlatform } from '../harness';
import { dataOf } from '../workspaces/people';
import { CrmUser, hubspotEnv } from './crm';

const HERE = '/v1/integrations/crm/hubspot';
const ADA = 'ada@crm.example';

interface Activity {
  event: string;
  state: string;
  externalId: string | null;
}

describe('the automation of a CRM', () => {
  let platform: Platform;
  let hubspot: HubSpotServer;
  let user: CrmUser;
  let serial = 0;

  beforeAll(async () => {
    hubspot = await new HubSpotServer().listen();
    platform = await startPlatform({ env: hubspotEnv(hubspot), worker: true });
    user = await CrmUser.of(platform);
    hubspot.store.add({ emails: [ADA], fields: { firstname: 'Ada' } });
  });
  afterAll(async () => {
    await platform.close();
    await hubspot.close();
  });

  const set = (body: object) => user.api.put(`${HERE}/automation`).send(body);

  async function happen(type: EventType, said: Record<string, unknown> = {}): Promise<void> {
    const about = { leadId: new Types.ObjectId().toHexString(), campaignId: user.campaignId };
    serial += 1;
    const event = happening(type, `automation-${serial}`, { about, data: { email: ADA, ...said } as never });
    const scope = systemScope(user.workspace.workspaceId);
    await platform.app.get(EventsService, { strict: false }).recordAll(scope, [event]);
  }

  async function work(): Promise<void> {
    await platform.app.get(EventRelayService, { strict: false }).relay(new AbortController().signal);
    await platform.drain();
    await platform.tick();
    await platform.drain();
  }

  it('is empty at first, and each write replaces it as a whole', async () => {
    const nothing = { activities: [], pushOn: [], campaignIds: [], createPeople: false, pull: null, push: null };
    const unset = { crmType: 'hubspot', ...nothing, problem: null, backfill: null, updatedAt: null };
    expect(dataOf(await user.api.get(`${HERE}/automation`).expect(200))).toEqual(unset);
    const { campaignId } = user;
    const wanted = {
      activities: ['email.sent', 'email.replied'],
      pushOn: ['email.positive_reply'],
      campaignIds: [campaignId],
      pull: { everyMinutes: 15, campaignId },
      push: { everyMinutes: 10_080 },
    };
    const shown = dataOf(await set(wanted).expect(200));
    expect(shown).toEqual({
      ...unset,
      ...wanted,
      pull: { ...wanted.pull, nextAt: expect.any(String) as unknown },
      push: { ...wanted.push, nextAt: expect.any(String) as unknown },
      updatedAt: expect.any(String) as unknown,
    });
    expect(dataOf(await user.api.get(`${HERE}/automation`).expect(200))).toEqual(shown);
    expect(dataOf(await set({}).expect(200))).toMatchObject(nothing);
  });

  it.each<[string, object, string]>([
    ['an unknown event', { activities: ['email.wept'] }, 'activities'],
    ['an event without an activity', { activities: ['lead.completed'] }, 'activities'],
    ['a repeated event', { pushOn: ['email.sent', 'email.sent'] }, 'pushOn'],
    ['an interval shorter than a quarter of an hour', { push: { everyMinutes: 14 } }, 'push.everyMinutes'],
    ['an interval longer than a week', { push: { everyMinutes: 10_081 } }, 'push.everyMinutes'],
    ['a pull without a campaign', { pull: { everyMinutes: 60 } }, 'pull.campaignId'],
    ['an unknown campaign', { campaignIds: ['6740a1b2c3d4e5f607182930'] }, 'campaignIds'],
    ['a malformed id', { campaignIds: ['x'] }, 'campaignIds'],
    ['too many campaigns', { campaignIds: Array(201).fill('x') }, 'campaignIds'],
    ['an invalid flag', { createPeople: 'yes' }, 'createPeople'],
    ['an unknown field', { everyMinutes: 60 }, 'everyMinutes'],
  ])('refuses %s', async (_what, body, field) => {
    expectFormB(await set(body), 400, 'VALIDATION_ERROR', field);
  });

  it.each(['attio', 'sugar', '..%2f', 'HUBSPOT'])(
    'answers 404 to %p, which is not connected or not a CRM',
    async (type) => {
      const there = `/v1/integrations/crm/${type}`;
      expectFormB(await user.api.get(`${there}/automation`), 404, 'NOT_FOUND');
      expectFormB(await user.api.put(`${there}/automation`).send({}), 404, 'NOT_FOUND');
      expectFormB(
        await user.api.post(`${there}/activities/backfill`).send({ from: '2026-01-01T00:00:00Z' }),
        404,
        'NOT_FOUND',
      );
    },
  );

  it('is readable for members, and writable for admins only', async () => {
    const { workspaceId } = user.workspace;
    const reader = platform.api.as(await platform.seed.workspaceKey(workspaceId, ['read', 'write']));
    await reader.get(`${HERE}/automation`).expect(200);
    await reader.get(`${HERE}/activities`).expect(200);
    expectFormA(await reader.put(`${HERE}/automation`).send({}), 403);
    expectFormA(await reader.post(`${HERE}/activities/backfill`).send({ from: '2026-01-01T00:00:00Z' }), 403);
  });

  it('posts activities to HubSpot, and lists them', async () => {
    await set({ activities: ['email.sent', 'email.replied'] }).expect(200);
    await happen('email.sent', { subject: 'Your roadmap' });
    await happen('email.replied', { subject: 'Re: Your roadmap', text: 'Tuesday at ten.' });
    await happen('email.sent', { email: 'stranger@crm.example' });
    await work();
    expect(hubspot.store.activities).toHaveLength(2);
    const listed = async (query: string): Promise<Activity[]> =>
      dataOf<Activity[]>(await user.api.get(`${HERE}/activities?${query}`).expect(200));
    expect(await listed('state=recorded')).toEqual([
      expect.objectContaining({ event: 'email.replied', state: 'recorded', reason: null }),
      expect.objectContaining({ event: 'email.sent', state: 'recorded', reason: null }),
    ]);
    expect(await listed('state=skipped')).toMatchObject([{ reason: 'The CRM has no person with this address' }]);
    const page = (await user.api.get(`${HERE}/activities?limit=2`).expect(200)).body as {
      data: Activity[];
      pagination: { total: number; nextCursor: string };
    };
    expect(page.pagination.total).toBe(3);
    expect(await listed(`limit=2&cursor=${page.pagination.nextCursor}`)).toHaveLength(1);
    expectFormB(await user.api.get(`${HERE}/activities?state=lost`), 400, 'VALIDATION_ERROR', 'state');
  });

  it('posts past activities on request, each event once', async () => {
    const from = platform.clock.in(-60_000).toISOString();
    await happen('email.bounced', { reason: '550 5.1.1 No such user' });
    await work();
    const before = hubspot.store.activities.length;
    await set({ activities: ['email.sent', 'email.replied', 'email.bounced'] }).expect(200);
    const begun = dataOf(await user.api.post(`${HERE}/activities/backfill`).send({ from }).expect(202));
    expect(begun).toEqual({ from, to: expect.any(String) as unknown, made: 0, completedAt: null });
    await work();
    const { backfill } = dataOf<{ backfill: object }>(await user.api.get(`${HERE}/automation`).expect(200));
    expect(backfill).toMatchObject({ made: 1, completedAt: expect.any(String) as unknown });
    expect(hubspot.store.activities).toHaveLength(before + 1);
    await user.api.post(`${HERE}/activities/backfill`).send({ from }).expect(202);
    await work();
    expect(hubspot.store.activities).toHaveLength(before + 1);
  });
});
