import { type WorkspaceScope } from '@domain/access';
import { CampaignCountersService } from '@domain/campaigns';
import { LeadPauseService } from './lead-pause.service';
import { LeadPostponementRepository } from './lead-postponement.repository';
import { LeadInsertionService } from './lead-insertion.service';
import { LeadStopService } from './lead-stop.service';
import { LeadRecord } from './schemas/lead.record';
import { LeadsFixture } from './testing/leads-fixture';
import { UnverifiedLeadService } from './verification/unverified-lead.service';

const HOUR_MS = 3_600_000;

describe('leads of a restored database', () => {
  let fixture: LeadsFixture;
  let workspace: WorkspaceScope;
  let other: WorkspaceScope;
  let campaignId: string;
  let until: Date;
  let serial = 0;

  beforeAll(async () => {
    fixture = await LeadsFixture.open();
  });
  afterAll(() => fixture.database.close());
  afterEach(() => fixture.database.clock.reset());
  beforeEach(async () => {
    [workspace, other] = [await fixture.workspace(), await fixture.workspace()];
    campaignId = await fixture.campaign(workspace);
    until = fixture.database.clock.in(HOUR_MS);
  });

  const setAside = () => fixture.get(LeadPauseService).reconcile(workspace.workspaceId, until);
  const leads = () => fixture.model<LeadRecord>(LeadRecord);
  const stored = (_id: string) => leads().findOne({ workspaceId: workspace.workspaceId, _id }).lean<LeadRecord>();
  const tallies = async () =>
    (await fixture.get(CampaignCountersService).sum(workspace.workspaceId, [campaignId])).get(campaignId)?.leads;
  const add = async (verify = false): Promise<string> => {
    serial += 1;
    const rows = [{ email: `lead-${serial}@firm.example` }];
    return String(
      (await fixture.get(LeadInsertionService).insert(workspace, campaignId, rows, { verify })).leads[0]!._id,
    );
  };
  const away = (leadId: string, resumeAt: Date) =>
    fixture
      .get(LeadStopService)
      .stop(workspace.workspaceId, { leadIds: [leadId] }, { reason: 'auto_replied', resumeAt });

  it('are paused if they were due and postponed: a lost change of settings may have freed them', async () => {
    const postponed = await add();
    const lead = (await stored(postponed))!;
    const later = new Date(until.getTime() + HOUR_MS);
    await fixture
      .get(LeadPostponementRepository)
      .postpone(lead, { until: later, reason: 'campaign_window', revision: 1 });
    expect(await setAside()).toBe(1);
    expect(await stored(postponed)).toMatchObject({ status: 'paused', stopReason: 'restored' });
  });

  it('are paused if they were due by then, and only in their workspace', async () => {
    const [due, later] = [await add(), await add()];
    await leads().updateOne(
      { workspaceId: workspace.workspaceId, _id: later },
      { dueAt: new Date(until.getTime() + 1) },
    );
    const elsewhere = await fixture.add(other, await fixture.campaign(other), ['a@firm.example']);
    expect(await setAside()).toBe(1);
    expect(await stored(due)).toMatchObject({ status: 'paused', stopReason: 'restored' });
    expect(await stored(later)).toMatchObject({ status: 'active', stopReason: null });
    const one = await leads().findOne({ workspaceId: other.workspaceId, _id: elsewhere[0] }).lean<LeadRecord>();
    expect(one).toMatchObject({ status: 'active' });
    expect(await tallies()).toMatchObject({ active: 1, paused: 1 });
    expect(await setAside()).toBe(0);
  });

  it('do not resume automatically if their absence had ended by then', async () => {
    const [back, stillAway] = [await add(), await add()];
    await away(back, until);
    await away(stillAway, new Date(until.getTime() + 1));
    expect(await setAside()).toBe(1);
    expect(await stored(back)).toMatchObject({ status: 'paused', stopReason: 'restored', resumeAt: null });
    expect(await stored(stillAway)).toMatchObject({ status: 'paused', stopReason: 'auto_replied' });
    fixture.database.clock.advance(2 * HOUR_MS);
    expect(await fixture.get(LeadPauseService).resumeDue()).toBe(1);
    expect(await stored(back)).toMatchObject({ status: 'paused' });
    expect(await tallies()).toMatchObject({ active: 1, paused: 1 });
  });

  it('stay paused if their verification was open at the backup: it may have ended before the restore', async () => {
    const leadId = await add(true);
    expect(await setAside()).toBe(1);
    expect(await stored(leadId)).toMatchObject({
      status: 'paused',
      stopReason: 'restored',
      verification: { nextAt: null, attempts: 0 },
    });
    const { workspaceId, campaignId: of } = (await stored(leadId))!;
    expect(await fixture.get(UnverifiedLeadService).due({ workspaceId, campaignId: of }, 10)).toEqual([]);
    expect(await setAside()).toBe(0);
  });
});
