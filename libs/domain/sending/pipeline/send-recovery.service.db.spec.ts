import { CampaignsService, CampaignStatusService } from '@domain/campaigns';
import { LeadActionsService, LeadRecord } from '@domain/leads';
import { MailboxDeletionService } from '@domain/mailboxes';
import { refused } from '../testing/scripted-server';
import { MINUTE, SendingFixture } from '../testing/sending-fixture';

const LEAD = 'ann@acme.test';

let engine: SendingFixture;
let mailboxId: string;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.fresh();
  mailboxId = await engine.mailbox();
});

describe('a run whose worker crashed', () => {
  it('with a claimed email: the next run sends it, and it is counted once everywhere', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD], { dailyLimit: 1, newLeadsPerDay: 1 });
    await engine.crash(mailboxId, 'beforeHandover');
    expect(await engine.stateOf(LEAD)).toBe('claimed');
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 1 });
    engine.clock.advance(MINUTE);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([LEAD]);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'sent', attempt: 1 }]);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 1 });
    expect(await engine.used(campaignId)).toEqual({ all: 1, new: 1 });
    expect(await engine.share(campaignId, mailboxId)).toMatchObject({ newLeads: 1 });
  });

  it('with a claimed email after a failed first one: the lead stays counted, also for its mailbox', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD]);
    engine.server.answers.push(refused('permanent', 'handover', '552 5.3.4 message too large'));
    await engine.run(mailboxId);
    expect(await engine.lead(LEAD)).toMatchObject({ status: 'paused', stopReason: 'failed' });
    await engine.get(LeadActionsService).run(engine.workspace, campaignId, { action: 'resume', selectAll: true });
    engine.clock.advance(24 * 60 * MINUTE);
    // The first run continues after the failed step.
    await engine.run(mailboxId);
    engine.clock.advance(24 * 60 * MINUTE);
    await engine.crash(mailboxId, 'beforeHandover');
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'failed' }, { state: 'claimed', attempt: 1 }]);
    await engine.get(CampaignStatusService).pause(engine.workspace, campaignId);
    await engine.run(mailboxId);
    expect(await engine.stateOf(LEAD)).toBe('planned');
    expect(String((await engine.lead(LEAD)).mailboxId)).toBe(mailboxId);
    expect(await engine.share(campaignId, mailboxId)).toMatchObject({ newLeads: 1 });
  });

  it('with an email to an erased lead: the counts of a lead that had received an email stay unchanged', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD]);
    await engine.run(mailboxId);
    engine.clock.advance(24 * 60 * MINUTE);
    await engine.crash(mailboxId, 'beforeHandover');
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'sent' }, { state: 'claimed' }]);
    const { _id, workspaceId } = await engine.lead(LEAD);
    await engine.model<LeadRecord>(LeadRecord).deleteOne({ _id, workspaceId });
    await engine.run(mailboxId);
    expect(await engine.stateOf(LEAD)).toBe('planned');
    expect(await engine.share(campaignId, mailboxId)).toMatchObject({ newLeads: 1 });
  });

  it('with an email during its handover: the email is resolved, and never handed over again', async () => {
    await engine.campaign([mailboxId], [LEAD]);
    await engine.crash(mailboxId, 'onHandover');
    expect(await engine.stateOf(LEAD)).toBe('sending');
    engine.clock.advance(MINUTE);
    await engine.run(mailboxId);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'ambiguous', resolveAt: engine.clock.now() }]);
    engine.clock.advance(60 * MINUTE);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([LEAD]);
    expect(await engine.lead(LEAD)).toMatchObject({ status: 'active', dueAt: null });
  });

  it('excludes all other workers while its lease lasts', async () => {
    await engine.campaign([mailboxId], [LEAD, 'bob@acme.test']);
    engine.server.onHandover = async () => {
      engine.server.onHandover = () => undefined;
      await engine.run(mailboxId);
      expect(engine.server.given).toHaveLength(1);
    };
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(2);
    expect((await engine.leaseOf(mailboxId)).dayUsed).toBe(2);
  });

  it('leaves no lead blocked if its mailbox is deleted: the other leads continue', async () => {
    const other = await engine.mailbox();
    const campaignId = await engine.campaign([mailboxId, other], [LEAD], { newLeadsPerDay: 1 });
    await engine.crash(mailboxId, 'beforeHandover');
    await engine.get(MailboxDeletionService).delete(engine.workspace, mailboxId, { force: 'true' });
    expect(await engine.lead(LEAD)).toMatchObject({ sendId: null, mailboxId: null, status: 'active' });
    await engine.run(other);
    expect(engine.recipients()).toEqual([LEAD]);
    expect(await engine.used(campaignId)).toEqual({ new: 1 });
  });

  it('releases a lead whose campaign was paused in between', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD]);
    await engine.crash(mailboxId, 'beforeHandover');
    await engine.get(CampaignStatusService).pause(engine.workspace, campaignId);
    expect(await engine.stateOf(LEAD)).toBe('withheld');
    await engine.run(mailboxId);
    expect(await engine.stateOf(LEAD)).toBe('planned');
    expect(await engine.lead(LEAD)).toMatchObject({ sendId: null, mailboxId: null });
    await engine.get(CampaignStatusService).resume(engine.workspace, campaignId);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([LEAD]);
  });
});

describe('leads of a mailbox that was removed from the campaign', () => {
  let other: string;
  let campaignId: string;
  beforeEach(async () => {
    other = await engine.mailbox();
    campaignId = await engine.campaign([mailboxId, other], [LEAD], { newLeadsPerDay: 1 });
    await engine.run(mailboxId);
  });
  const setMailboxes = (mailboxes: string[]) =>
    engine.get(CampaignsService).update(engine.workspace, campaignId, { mailboxes });
  const nextDay = () => engine.clock.advance(24 * 60 * MINUTE);
  const senders = async () => (await engine.sends(LEAD)).map((send) => String(send.mailboxId));

  it('stay with the mailbox while it belongs to the campaign', async () => {
    nextDay();
    await engine.run(other);
    expect(await senders()).toEqual([mailboxId]);
    await engine.run(mailboxId);
    expect(await senders()).toEqual([mailboxId, mailboxId]);
  });

  it('keep the mailbox among the former ones while one of them is open, and no longer', async () => {
    const former = async () => (await engine.campaignOf(campaignId)).formerMailboxes.map(String);
    const lead = (fields: object) => engine.changeLead(LEAD, fields);
    await setMailboxes([other]);
    expect(await former()).toEqual([mailboxId]);
    await lead({ status: 'paused', stopReason: 'manual' });
    await setMailboxes([other, await engine.mailbox()]);
    expect(await former()).toEqual([mailboxId]);
    await lead({ status: 'completed', stopReason: 'replied', dueAt: null });
    await setMailboxes([other]);
    expect(await former()).toEqual([]);
  });

  it('leave no former mailbox behind when the campaign is completed', async () => {
    await setMailboxes([other]);
    nextDay();
    await engine.run(other);
    expect(await engine.campaignOf(campaignId)).toMatchObject({ status: 'completed', formerMailboxes: [] });
  });

  it('are continued by the other mailboxes, in the thread, once the mailbox is removed', async () => {
    await setMailboxes([other]);
    nextDay();
    await engine.run(mailboxId);
    expect(await senders()).toEqual([mailboxId]);
    await engine.run(other);
    expect(await senders()).toEqual([mailboxId, other]);
    const [first] = await engine.sends(LEAD);
    expect(engine.server.given[1]?.text).toContain(`In-Reply-To: ${first!.messageId}`);
    expect((await engine.campaignOf(campaignId)).status).toBe('completed');
  });

  it('are continued by the others once the mailbox is deleted, also if the day’s new leads are used up', async () => {
    await engine.get(MailboxDeletionService).delete(engine.workspace, mailboxId, { force: 'true' });
    await engine.leads(campaignId, ['bob@acme.test']);
    nextDay();
    await engine.run(other);
    expect(engine.recipients().toSorted()).toEqual([LEAD, LEAD, 'bob@acme.test']);
    expect(await engine.share(campaignId, other)).toMatchObject({ newLeads: 1 });
  });

  it('keep their due times: the others run when they are due, and the campaign is not completed before', async () => {
    await setMailboxes([other]);
    const { dueAt } = await engine.lead(LEAD);
    engine.clock.freeze(new Date(dueAt!.getTime() - MINUTE));
    await engine.run(other);
    expect((await engine.leaseOf(other)).nextAt).toEqual(dueAt);
    expect((await engine.campaignOf(campaignId)).status).toBe('active');
  });

  it('wait for a new mailbox if none is left', async () => {
    for (const id of [mailboxId, other]) {
      await engine.get(MailboxDeletionService).delete(engine.workspace, id, { force: 'true' });
    }
    nextDay();
    const third = await engine.mailbox();
    await setMailboxes([third]);
    await engine.run(third);
    expect(await senders()).toEqual([mailboxId, third]);
  });

  it('are continued by the others if one of them was in flight at the removal', async () => {
    nextDay();
    engine.server.beforeHandover = async () => {
      engine.server.beforeHandover = () => undefined;
      await setMailboxes([other]);
    };
    await engine.run(mailboxId);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    await engine.run(other);
    expect(await senders()).toEqual([mailboxId, other]);
  });

  it('belong to the mailbox again when it returns', async () => {
    await setMailboxes([other]);
    await setMailboxes([mailboxId, other]);
    nextDay();
    await engine.run(other);
    expect(await senders()).toEqual([mailboxId]);
    await engine.run(mailboxId);
    expect(await senders()).toEqual([mailboxId, mailboxId]);
  });

  it('are continued by the others if they were paused at the removal', async () => {
    const act = (action: 'pause' | 'resume') =>
      engine.get(LeadActionsService).run(engine.workspace, campaignId, { action, selectAll: true });
    await act('pause');
    await setMailboxes([other]);
    nextDay();
    await engine.run(other);
    expect(engine.server.given).toHaveLength(1);
    await act('resume');
    await engine.run(other);
    expect(await senders()).toEqual([mailboxId, other]);
  });
});
