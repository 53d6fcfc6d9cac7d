import { activated, newCampaign, readyCampaign } from '../campaigns/campaigns';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, UNKNOWN_ID } from '../workspaces/people';
import { type Lead } from './lead-responses';
import { Leads } from './leads';

describe('PATCH /v1/campaigns/:campaignId/leads/:leadId', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let leads: Leads;
  let id: string;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    leads = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
    await leads.post({ email: 'ada@example.com', firstName: 'Ada', variables: { a: '1', b: '2' } }).expect(201);
    id = (await leads.list()).data[0]!._id;
  });
  afterAll(() => platform.close());

  it('changes the given fields and leaves the rest', async () => {
    const before = await leads.get(id);
    const changes = { lastName: 'Lovelace', timezone: 'Europe/Berlin', variables: { b: '3', c: '4', a: null } };
    const changed = dataOf<Lead>(await leads.patch(id, changes).expect(200));
    expect(changed).toEqual({
      ...before,
      lastName: 'Lovelace',
      timezone: 'Europe/Berlin',
      variables: {
        b: '3',
        c: '4',
      },
      updatedAt: changed['updatedAt'],
    });
    expect(await leads.get(id)).toEqual(changed);
    expect(dataOf<Lead>(await leads.patch(id, { timezone: null, firstName: '' }))).toMatchObject({
      timezone: null,
      firstName: '',
    });
    expect(await auditedActions(platform, workspace)).toContain('lead.updated');
  });

  it.each([
    ['email', { email: 'other@example.com' }],
    ['status', { status: 'active' }],
    ['sentCount', { sentCount: 5 }],
    ['firstName', { firstName: null }],
    ['timezone', { timezone: 'x' }],
    ['variables.$set', { variables: { $set: '1' } }],
    ['variables.email', { variables: { email: 'x' } }],
    ['variables', { variables: Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`v${at}`, 'x'])) }],
  ])('refuses an invalid %s and changes nothing', async (field, body) => {
    const before = await leads.get(id);
    expectFormB(await leads.patch(id, body), 400, 'VALIDATION_ERROR', field);
    expect(await leads.get(id)).toEqual(before);
  });

  it('activates a lead that waited for values, as soon as it has all of them', async () => {
    const sequence = [{ subject: 'Hi {{firstName}}', body: '<p>{{plan}} {{x | default: "y"}} {{senderName}}</p>' }];
    const { _id, mailboxes } = await readyCampaign(platform, workspace, { sequence });
    const mine = new Leads(platform, workspace, _id);
    const [lead] = await mine.add('bob@example.com');
    await activated(platform, workspace.workspaceId, _id);
    const counts = async () => (await mine.list('?status=active')).pagination.total;
    await mine.act({ action: 'pause', leadIds: [lead] });
    await mine.set(lead!, { stopReason: 'missing_variable' });
    const { dueAt } = await mine.get(lead!);
    platform.clock.advance(60_000);
    expect(dataOf<Lead>(await mine.patch(lead!, { variables: { plan: 'Pro' } })).status).toBe('paused');
    expect(dataOf<Lead>(await mine.patch(lead!, { firstName: ' ' })).status).toBe('paused');
    const resumed = dataOf<Lead>(await mine.patch(lead!, { firstName: 'Bob' }));
    expect(resumed).toMatchObject({ status: 'active', stopReason: null, dueAt });
    expect(await counts()).toBe(1);
    expect(await mine.findLease(mailboxes[0]!)).toBeInstanceOf(Date);
  });

  it('activates a lead that waited for a link, as soon as it has one', async () => {
    const sequence = [{ subject: 'Hi', body: '<p><a href="{{website}}">{{website}}</a></p>' }];
    const mine = new Leads(platform, workspace, (await readyCampaign(platform, workspace, { sequence }))._id);
    const [lead] = await mine.add('bob@example.com');
    await mine.act({ action: 'pause', leadIds: [lead] });
    await mine.set(lead!, { stopReason: 'missing_variable' });
    for (const website of ['javascript:alert(1)', 'bob.example']) {
      expect(dataOf<Lead>(await mine.patch(lead!, { website })).status).toBe('paused');
    }
    expect(dataOf<Lead>(await mine.patch(lead!, { website: 'https://bob.example' })).status).toBe('active');
  });

  it('keeps a lead paused that has another reason', async () => {
    await leads.act({ action: 'pause', leadIds: [id] });
    expect(dataOf<Lead>(await leads.patch(id, { firstName: 'Ada' })).status).toBe('paused');
  });

  it('answers 404 to an unknown lead', async () => {
    expectFormB(await leads.patch(UNKNOWN_ID, {}), 404, 'NOT_FOUND');
  });
});
