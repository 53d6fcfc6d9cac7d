import { type WorkspaceScope } from '@domain/access';
import { CampaignCountersService } from '@domain/campaigns';
import { TransactionService } from '@platform/database';
import { Types } from 'mongoose';
import { LeadInsertionService } from '../lead-insertion.service';
import { DueLeadRepository } from '../due-lead.repository';
import { LeadRecord } from '../schemas/lead.record';
import { LeadsFixture } from '../testing/leads-fixture';
import { type UnverifiedLead, type VerifiedLead } from './unverified-lead';
import { UnverifiedLeadService } from './unverified-lead.service';

const A_WHILE_MS = 600_000;

describe('unverified leads', () => {
  let fixture: LeadsFixture;
  let workspace: WorkspaceScope;
  let campaignId: Types.ObjectId;
  let workspaceId: Types.ObjectId;

  beforeAll(async () => {
    fixture = await LeadsFixture.open();
  });
  afterAll(() => fixture.database.close());
  beforeEach(async () => {
    workspace = await fixture.workspace();
    workspaceId = new Types.ObjectId(workspace.workspaceId);
    campaignId = new Types.ObjectId(await fixture.campaign(workspace));
  });

  const service = () => fixture.get(UnverifiedLeadService);
  const place = () => ({ workspaceId, campaignId });
  async function add(...names: string[]): Promise<UnverifiedLead[]> {
    const rows = names.map((name) => ({ email: `${name}@firm.example` }));
    await fixture.get(LeadInsertionService).insert(workspace, campaignId.toHexString(), rows, { verify: true });
    return service().due(place(), 100);
  }
  const toVerified = (lead: UnverifiedLead, action: VerifiedLead['action']): VerifiedLead => {
    return { lead, result: 'valid', reasons: ['accepted'], checkedAt: new Date(), action };
  };
  const settle = (...results: VerifiedLead[]) =>
    fixture.get(TransactionService).run(() => service().settle(workspace, campaignId, results));
  async function tallies() {
    const id = campaignId.toHexString();
    return (await fixture.get(CampaignCountersService).sum(workspace.workspaceId, [id])).get(id)?.leads;
  }
  const stored = (lead: UnverifiedLead) =>
    fixture.model<LeadRecord>(LeadRecord).findOne({ workspaceId, _id: lead._id }).lean<LeadRecord>();

  it('are counted as paused, and then under the result of their verification', async () => {
    const [sent, kept, removed] = await add('a', 'b', 'c');
    expect(await tallies()).toMatchObject({ total: 3, active: 0, paused: 3 });
    await settle(toVerified(sent!, 'send'), toVerified(kept!, 'hold'), toVerified(removed!, 'remove'));
    expect(await tallies()).toMatchObject({ total: 3, active: 1, paused: 1, removed: 1 });
    expect(await stored(sent!)).toMatchObject({ status: 'active', stopReason: null, verification: { nextAt: null } });
    expect(await stored(removed!)).toMatchObject({ status: 'removed', stopReason: 'verification', dueAt: null });
  });

  it('keep their campaign from being completed until none is unverified and none is left', async () => {
    const due = fixture.get(DueLeadRepository);
    const [lead] = await add('a');
    expect(await due.anyLeft(workspaceId, campaignId)).toBe(true);
    await settle(toVerified(lead!, 'hold'));
    expect(await due.anyLeft(workspaceId, campaignId)).toBe(false);
  });

  it('are settled once, by the first worker', async () => {
    const [lead] = await add('a');
    const both = await Promise.all([settle(toVerified(lead!, 'send')), settle(toVerified(lead!, 'remove'))]);
    expect(both.reduce((sum, { verified: results }) => sum + results.length, 0)).toBe(1);
    const { total = 0, active = 0, removed = 0 } = (await tallies()) ?? {};
    expect([total, active + removed]).toEqual([1, 1]);
  });

  it('are ignored if the person was erased meanwhile', async () => {
    const [lead] = await add('a');
    const leads = fixture.model<LeadRecord>(LeadRecord);
    await leads.updateOne({ workspaceId, _id: lead!._id }, { $set: { email: 'x@erased.invalid' } });
    expect((await settle(toVerified(lead!, 'send'))).verified).toEqual([]);
    expect(await stored(lead!)).toMatchObject({ status: 'paused', verification: { result: null } });
  });

  it('are due again at the time of their next attempt, and each attempt is counted', async () => {
    const [one, other] = await add('a', 'b');
    const at = fixture.database.clock.in(A_WHILE_MS);
    await service().postpone(place(), [{ lead: one!, at, reasons: ['greylisted'] }]);
    expect((await service().due(place(), 100)).map(({ _id }) => _id)).toEqual([other!._id]);
    await service().postponeAll(place(), at, 'no_credits');
    expect(await service().due(place(), 100)).toEqual([]);
    expect(await stored(one!)).toMatchObject({ verification: { attempts: 1, reasons: ['greylisted'], nextAt: at } });
    expect(await stored(other!)).toMatchObject({ verification: { attempts: 0, reasons: ['no_credits'] } });
    fixture.database.clock.advance(A_WHILE_MS);
    expect(await service().due(place(), 100)).toHaveLength(2);
  });

  it('are found by campaign, one after the other, whether they are due or not', async () => {
    await add('a', 'b');
    const first = campaignId;
    campaignId = new Types.ObjectId(await fixture.campaign(workspace));
    const [lead] = await add('c');
    await service().postpone(place(), [{ lead: lead!, at: fixture.database.clock.in(A_WHILE_MS), reasons: [] }]);
    const lowest = new Types.ObjectId('000000000000000000000000');
    const one = await service().campaignAfter({ workspaceId, campaignId: lowest });
    const other = await service().campaignAfter(one);
    expect([one, other]).toEqual([
      { workspaceId, campaignId: first, isDue: true },
      { workspaceId, campaignId, isDue: false },
    ]);
    expect(await service().campaignAfter(other)).toBeNull();
  });

  it('are found in all workspaces, each campaign once', async () => {
    await add('a', 'b');
    const seen: string[] = [];
    for (let at = await service().campaignAfter(null); at !== null; at = await service().campaignAfter(at)) {
      seen.push(at.campaignId.toHexString());
    }
    expect(seen).toContain(campaignId.toHexString());
    expect(new Set(seen).size).toBe(seen.length);
  });
});
