import { CampaignCountersService, type LeadTally } from '@domain/campaigns';
import { type WorkspaceScope } from '@domain/access';
import fc from 'fast-check';
import { type Model, Types } from 'mongoose';
import { LeadInsertionService } from './lead-insertion.service';
import { LeadStopService } from './lead-stop.service';
import { LeadActionsService } from './lead-actions.service';
import { LeadRecord, STOP_REASONS } from './schemas/lead.record';
import { LeadsFixture } from './testing/leads-fixture';

const PEOPLE = 6;
const EMAILS = Array.from({ length: PEOPLE }, (_, at) => `p${at}@d${at % 2}.example`);

let fixture: LeadsFixture;
let workspace: WorkspaceScope;
let leads: Model<LeadRecord>;

beforeAll(async () => {
  fixture = await LeadsFixture.open();
  leads = fixture.model<LeadRecord>(LeadRecord);
  workspace = await fixture.workspace();
});
afterAll(() => fixture.database.close());

async function expectExact(campaignId: string): Promise<void> {
  const { workspaceId } = workspace;
  const counted: Record<LeadTally, number> = { total: 0, active: 0, paused: 0, completed: 0, bounced: 0, removed: 0 };
  for (const { status } of await leads.find({ workspaceId, campaignId }, { status: 1 }).lean()) {
    counted.total += 1;
    counted[status] += 1;
  }
  const figures = (await fixture.get(CampaignCountersService).sum(workspaceId, [campaignId])).get(campaignId)?.leads;
  expect(figures).toEqual(counted);
}

const someone = fc.subarray(EMAILS, { minLength: 1 });
const act = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), emails: someone }),
  fc.record({ kind: fc.constant('stop' as const), emails: someone, reason: fc.constantFrom(...STOP_REASONS) }),
  fc.record({ kind: fc.constant('write' as const), emails: someone }),
  fc.record({
    kind: fc.constant('act' as const),
    action: fc.constantFrom('pause' as const, 'resume' as const, 'remove' as const),
    emails: someone,
    all: fc.boolean(),
  }),
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

async function perform(campaignId: string, step: Act): Promise<void> {
  const { workspaceId } = workspace;
  const { emails } = step;
  switch (step.kind) {
    case 'insert': {
      await fixture.get(LeadInsertionService).insert(
        workspace,
        campaignId,
        emails.map((email) => ({ email })),
      );
      return;
    }
    case 'stop': {
      await fixture.get(LeadStopService).stop(workspaceId, { emails, campaignId }, { reason: step.reason });
      return;
    }
    case 'write': {
      // As the engine does after an email.
      await leads.updateMany({ workspaceId, campaignId, email: { $in: emails } }, { $inc: { sentCount: 1 } });
      return;
    }
    case 'act': {
      const named = await leads.find({ workspaceId, campaignId, email: { $in: emails } }, { _id: 1 }).lean();
      const ids = [new Types.ObjectId(), ...named.map(({ _id }) => _id)].map((id) => id.toHexString());
      const which = step.all ? { selectAll: true, excludeIds: ids } : { leadIds: ids };
      const before = await leads.find({ workspaceId, campaignId }).lean();
      const { modifiedCount } = await fixture
        .get(LeadActionsService)
        .run(workspace, campaignId, { action: step.action, ...which });
      const after = new Map(
        (await leads.find({ workspaceId, campaignId }).lean()).map((lead) => [lead._id.toHexString(), lead.status]),
      );
      const changed = before.filter(({ _id, status }) => after.get(_id.toHexString()) !== status);
      expect(modifiedCount).toBe(changed.length);
    }
  }
}

it('lead counters are exact after any change, and actions return the number of changed leads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 10 }), async (acts) => {
      const campaignId = await fixture.campaign(workspace);
      for (const step of acts) {
        await perform(campaignId, step);
        await expectExact(campaignId);
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

it('lead counters stay exact under concurrent actions, stops and insertions', async () => {
  const campaignId = await fixture.campaign(workspace);
  const ids = await fixture.add(workspace, campaignId, EMAILS);
  const [half, other] = [ids.slice(0, 4), ids.slice(2)];
  const actions = fixture.get(LeadActionsService);
  const results = await Promise.all([
    actions.run(workspace, campaignId, { action: 'pause', leadIds: half }),
    actions.run(workspace, campaignId, { action: 'pause', leadIds: other }),
    fixture.get(LeadStopService).stop(workspace.workspaceId, { domains: ['d1.example'] }, { reason: 'unsubscribed' }),
    actions.run(workspace, campaignId, { action: 'remove', leadIds: [ids[0]!, ids[5]!] }),
    fixture.add(workspace, campaignId, ['new@d0.example', EMAILS[0]!]),
  ]);
  expect(results[0].modifiedCount + results[1].modifiedCount).toBeLessThanOrEqual(PEOPLE);
  await expectExact(campaignId);
});
