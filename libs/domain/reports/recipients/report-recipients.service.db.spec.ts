import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CampaignRepository, CampaignsService } from '@domain/campaigns';
import { MailboxDeletionService } from '@domain/mailboxes';
import { WorkspaceLimitsService } from '@domain/identity';
import { PageService, TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { Types } from 'mongoose';
import { ReportScheduleService } from '../delivery/report-schedule.service';
import { ReportWithholdingListener } from '../delivery/report-withholding.listener';
import { ReportSettingsService } from '../settings/report-settings.service';
import { MONDAY, ReportsFixture, SUNDAY } from '../testing/reports-fixture';
import { MAX_RECIPIENTS, ReportRecipientsService } from './report-recipients.service';
import { ReportUnsubscribeService } from './report-unsubscribe.service';

const forever = new AbortController().signal;

describe('recipients of reports', () => {
  let fixture: ReportsFixture;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await ReportsFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.clock.freeze(SUNDAY);
    workspace = await fixture.workspace();
  });

  async function getRefusal(work: Promise<unknown>): Promise<Partial<AppError>> {
    try {
      await work;
    } catch (error) {
      if (error instanceof AppError)
        return { code: error.code, message: error.message, ...(error.details && { details: error.details }) };
      throw error;
    }
    throw new Error('It was not refused');
  }
  const audited = async () =>
    (await fixture.get(AuditService).list(workspace, { limit: 100 })).items
      .filter(({ action }) => action.startsWith('report_'))
      .map(({ action }) => action)
      .toReversed();
  const read = (recipientId: string) => fixture.get(ReportRecipientsService).get(workspace, recipientId);
  const ada = (email: string) => ({ name: 'Ada', email });

  it('are stored with the time of their next report, and their changes are audited', async () => {
    const created = await fixture.get(ReportRecipientsService).create(workspace, ada('ada@example.com'));
    expect(created).toMatchObject({ schedule: { nextScheduledAt: MONDAY.toISOString() }, totalReportsSent: 0 });
    const changed = await fixture
      .get(ReportRecipientsService)
      .update(workspace, created._id, { role: 'CEO', active: false });
    expect(changed).toMatchObject({ role: 'CEO', active: false, schedule: { nextScheduledAt: null } });
    expect(await fixture.get(ReportRecipientsService).update(workspace, created._id, { role: 'CEO' })).toEqual(changed);
    await fixture.get(ReportRecipientsService).delete(workspace, created._id);
    expect(await getRefusal(read(created._id))).toEqual({ code: 'NOT_FOUND', message: 'Report recipient not found' });
    expect(await audited()).toEqual([
      'report_recipient.created',
      'report_recipient.updated',
      'report_recipient.deleted',
    ]);
  });

  /** A separate mutex: only the database orders its creations with those of others. */
  const anotherProcess = () =>
    new ReportRecipientsService(
      fixture.recipients,
      fixture.reports,
      fixture.get(PageService),
      fixture.get(CampaignRepository),
      fixture.get(ReportWithholdingListener),
      fixture.get(WorkspaceLimitsService),
      fixture.get(AuditService),
      fixture.get(TransactionService),
      fixture.clock,
    );

  it('have a unique address in the workspace, also under concurrent creation', async () => {
    const create = () => anotherProcess().create(workspace, ada('ada@example.com'));
    const results = await Promise.allSettled([create(), create(), create()]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await getRefusal(create())).toMatchObject({ code: 'CONFLICT' });
    const other = await fixture.recipient(workspace);
    const update = fixture.get(ReportRecipientsService).update(workspace, other, { email: 'ada@example.com' });
    expect(await getRefusal(update)).toMatchObject({ code: 'CONFLICT' });
    await fixture.get(ReportRecipientsService).create(await fixture.workspace(), ada('ada@example.com'));
  });

  it(`are ${MAX_RECIPIENTS} in a workspace at most, also when two race for the last place`, async () => {
    const others = Array.from({ length: MAX_RECIPIENTS - 1 }, (_, at) => ({
      workspaceId: workspace.workspaceId,
      name: 'Ada',
      email: `r${at}@example.com`,
      reportType: 'workspace',
      campaignIds: [],
      active: true,
      schedule: { enabled: false, frequency: 'weekly', dayOfWeek: 1, timeOfDay: '08:00', timezone: 'UTC' },
    }));
    await fixture.recipients.insertMany(others);
    const last = (address: string) => anotherProcess().create(workspace, ada(address));
    const results = await Promise.allSettled([last('last@example.com'), last('other@example.com')]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await getRefusal(fixture.recipient(workspace))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  it('are all created if sixty requests run concurrently', async () => {
    await Promise.all(Array.from({ length: 60 }, () => fixture.recipient(workspace)));
    expect(await fixture.recipients.countDocuments({ workspaceId: workspace.workspaceId })).toBe(60);
  });

  it('are found by name, address or company, with special characters taken literally', async () => {
    await fixture.recipient(workspace, { name: 'Ada (CEO)', company: 'Acme.Inc' });
    await fixture.recipient(workspace, { name: 'Grace', email: 'grace.hopper@navy.example' });
    const found = async (search: string) =>
      (await fixture.get(ReportRecipientsService).list(workspace, { limit: 25, search })).items.map(({ name }) => name);
    expect(await found('(ceo')).toEqual(['Ada (CEO)']);
    expect(await found('ACME.')).toEqual(['Ada (CEO)']);
    expect(await found('hopper@')).toEqual(['Grace']);
    expect(await found('A.A')).toEqual([]);
    expect(await fixture.get(ReportRecipientsService).list(await fixture.workspace(), { limit: 25 })).toMatchObject({
      items: [],
    });
  });

  it('accept only campaigns of their own workspace', async () => {
    const [own, others] = [await fixture.campaign(workspace), await fixture.campaign(await fixture.workspace())];
    const create = (...campaignIds: string[]) => fixture.recipient(workspace, { reportType: 'campaign', campaignIds });
    const recipientId = await create(own);
    for (const unknown of [others, new Types.ObjectId().toHexString(), 'nonsense']) {
      expect(await getRefusal(create(own, unknown))).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field: 'campaignIds' }],
      });
      const update = fixture.get(ReportRecipientsService).update(workspace, recipientId, { campaignIds: [unknown] });
      expect(await getRefusal(update)).toMatchObject({ details: [{ field: 'campaignIds' }] });
    }
  });

  it('lose a campaign that is deleted, and get no report when none is left', async () => {
    const [first, second] = [await fixture.campaign(workspace), await fixture.campaign(workspace)];
    const both = await fixture.recipient(workspace, { reportType: 'campaign', campaignIds: [first, second] });
    const one = await fixture.recipient(workspace, { reportType: 'campaign', campaignIds: [first] });
    await fixture.get(CampaignsService).delete(workspace, first);
    fixture.clock.freeze(MONDAY);
    await fixture.plan();
    await fixture.deliver(await fixture.one(workspace, one));
    expect(await fixture.one(workspace, one)).toMatchObject({ state: 'withheld' });
    await fixture.get(CampaignsService).eraseDeleted(forever);
    expect([(await read(both)).campaignIds, (await read(one)).campaignIds]).toEqual([[second], []]);
    // Other fields can still be changed.
    expect(await fixture.get(ReportRecipientsService).update(workspace, both, { name: 'Grace' })).toMatchObject({
      name: 'Grace',
    });
  });

  it('keep the time of their next report when other fields change', async () => {
    const recipientId = await fixture.recipient(workspace);
    fixture.clock.freeze(new Date(MONDAY.getTime() + 1_000));
    const { schedule } = await fixture.get(ReportRecipientsService).update(workspace, recipientId, { name: 'Grace' });
    expect(schedule.nextScheduledAt).toBe(MONDAY.toISOString());
  });

  describe('a manually requested report', () => {
    it('covers the days up to now, does not affect the schedule, and is the only open one', async () => {
      const recipientId = await fixture.recipient(workspace);
      const order = () => fixture.get(ReportScheduleService).sendNow(workspace, recipientId);
      expect(await order()).toMatchObject({
        trigger: 'manual',
        state: 'planned',
        period: { frequency: 'weekly', first: '2026-11-16', last: '2026-11-22' },
      });
      expect(await getRefusal(order())).toMatchObject({ code: 'CONFLICT' });
      await fixture.deliver(await fixture.one(workspace, recipientId)); // Fails, because the workspace has no sender.
      expect(await order()).toMatchObject({ state: 'planned' });
      const { items } = await fixture.get(ReportRecipientsService).listReports(workspace, recipientId, { limit: 25 });
      expect(items.map(({ state }) => state)).toEqual(['planned', 'failed']);
      expect(await read(recipientId)).toMatchObject({ schedule: { nextScheduledAt: MONDAY.toISOString() } });
      fixture.clock.freeze(MONDAY);
      await fixture.plan();
      expect((await fixture.stored(workspace)).map(({ key }) => key)).toEqual([
        'asked 1',
        'asked 2',
        'weekly 2026-11-16 2026-11-22',
      ]);
    });

    it('is created for one of two concurrent requests', async () => {
      const recipientId = await fixture.recipient(workspace);
      const orders = Array.from({ length: 5 }, () =>
        fixture.get(ReportScheduleService).sendNow(workspace, recipientId),
      );
      const results = await Promise.allSettled(orders);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await fixture.stored(workspace)).toHaveLength(1);
    });

    it('is refused for an inactive recipient', async () => {
      const recipientId = await fixture.recipient(workspace, { active: false });
      expect(await getRefusal(fixture.get(ReportScheduleService).sendNow(workspace, recipientId))).toMatchObject({
        code: 'CONFLICT',
      });
    });
  });

  describe('the unsubscribe link of a report', () => {
    const tokenOf = async (recipientId: string) =>
      fixture
        .get(ReportUnsubscribeService)
        .getUrl(await fixture.recipientOf(workspace, recipientId))
        .split('/r/')[1]!;

    it('stops reports with its button, and changes nothing when the page is only viewed', async () => {
      const recipientId = await fixture.recipient(workspace, { email: 'ada@example.com' });
      const token = await tokenOf(recipientId);
      const shown = { email: 'ada@example.com', sender: 'Acme (reports)' };
      expect(await fixture.get(ReportUnsubscribeService).peek(token)).toEqual(shown);
      expect(await read(recipientId)).toMatchObject({ active: true });
      expect(await fixture.get(ReportUnsubscribeService).stop(token)).toEqual(shown);
      expect(await fixture.get(ReportUnsubscribeService).stop(token)).toEqual(shown);
      expect(await read(recipientId)).toMatchObject({ active: false, schedule: { nextScheduledAt: null } });
      expect(await audited()).toEqual(['report_recipient.created', 'report_recipient.stopped']);
    });

    it('does not affect a later address of the recipient, and works again for its own', async () => {
      const recipientId = await fixture.recipient(workspace, { email: 'ada@example.com' });
      const token = await tokenOf(recipientId);
      const update = fixture.get(ReportRecipientsService);
      await update.update(workspace, recipientId, { email: 'grace@example.com' });
      expect(await fixture.get(ReportUnsubscribeService).peek(token)).toBeNull();
      expect(await fixture.get(ReportUnsubscribeService).stop(token)).toBeNull();
      expect(await read(recipientId)).toMatchObject({ active: true });
      await update.update(workspace, recipientId, { email: 'ada@example.com' });
      expect(await fixture.get(ReportUnsubscribeService).stop(token)).toMatchObject({ email: 'ada@example.com' });
    });

    it('stops nothing with a token of an unknown recipient', async () => {
      const recipientId = await fixture.recipient(workspace);
      const token = await tokenOf(recipientId);
      for (const wrong of ['', 'x', `${token}x`, token.slice(0, -2), 'a'.repeat(500)]) {
        expect(await fixture.get(ReportUnsubscribeService).stop(wrong)).toBeNull();
      }
      await fixture.get(ReportRecipientsService).delete(workspace, recipientId);
      expect(await fixture.get(ReportUnsubscribeService).stop(token)).toBeNull();
    });
  });

  describe('the sender of reports', () => {
    it('is the chosen mailbox until it is deleted', async () => {
      const settings = fixture.get(ReportSettingsService);
      expect(await settings.get(workspace)).toEqual({ mailboxId: null, sender: 'none', from: null });
      const { _id: mailboxId, email } = await fixture.mailbox(workspace);
      const chosen = { mailboxId, sender: 'mailbox', from: email };
      expect(await settings.set(workspace, { mailboxId })).toEqual(chosen);
      expect(await settings.set(workspace, { mailboxId })).toEqual(chosen);
      expect(await audited()).toEqual(['report_settings.changed']);
      await fixture.get(MailboxDeletionService).delete(workspace, mailboxId, {});
      expect(await settings.get(workspace)).toEqual({ mailboxId: null, sender: 'none', from: null });
    });

    it('cannot be a mailbox of another workspace', async () => {
      const { _id: mailboxId } = await fixture.mailbox(await fixture.workspace());
      for (const unknown of [mailboxId, new Types.ObjectId().toHexString(), 'nonsense']) {
        const set = fixture.get(ReportSettingsService).set(workspace, { mailboxId: unknown });
        expect(await getRefusal(set)).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'mailboxId' }] });
      }
    });
  });
});
