import { type WorkspaceScope } from '@domain/access';
import { MailboxesService, MailboxFiguresService, MailboxUpdateService } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { SuppressionsService } from '@domain/suppressions';
import { MetricsService } from '@platform/observability';
import { Types } from 'mongoose';
import { ReportContentService } from '../content/report-content.service';
import { ReportRecipientsService } from '../recipients/report-recipients.service';
import { ReportSettingsService } from '../settings/report-settings.service';
import { OPERATOR } from '../testing/reporting.driver';
import { DAY_MS, MINUTE_MS, MONDAY, ReportsFixture, SUNDAY } from '../testing/reports-fixture';
import { FOUND, refused } from '../testing/send-outcomes';
import { MAX_ATTEMPTS } from './report-decision';
import { LEASE_MS, ReportRepository } from './report.repository';

describe('the delivery of a report', () => {
  let fixture: ReportsFixture;
  let workspace: WorkspaceScope;
  let mailboxId: string;
  let recipientId: string;

  beforeAll(async () => {
    fixture = await ReportsFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => begin());

  /** A recipient whose report is due, in a workspace that sends from its own mailbox. */
  async function begin(more: { dailySendLimit?: number } = {}): Promise<void> {
    fixture.clock.freeze(SUNDAY);
    fixture.driver.reset();
    workspace = await fixture.workspace();
    mailboxId = (await fixture.mailbox(workspace, more))._id;
    await fixture.get(ReportSettingsService).set(workspace, { mailboxId });
    recipientId = await fixture.recipient(workspace);
    fixture.clock.freeze(MONDAY);
    await fixture.plan();
  }

  const report = () => fixture.one(workspace, recipientId);
  const deliver = async (signal?: AbortSignal) => fixture.deliver(await report(), signal);
  const totals = async () => (await fixture.recipientOf(workspace, recipientId)).totalReportsSent;
  const sentToday = async () => (await fixture.get(MailboxesService).get(workspace, mailboxId)).sentToday;
  const given = () => fixture.driver.given.map(({ messageId }) => messageId);
  const messageId = () => `<report.${recipientId}.weekly.2026-11-16.2026-11-22@mail.test>`;
  /** A crash of the worker: nothing after that moment is written. */
  const crash = () => Promise.reject(new Error('The worker crashed'));

  it('sends one mail from the chosen mailbox, counted there and for the recipient', async () => {
    await deliver();
    expect(await report()).toMatchObject({
      state: 'sent',
      reason: null,
      sentAt: MONDAY,
      attempts: 1,
      messageId: messageId(),
    });
    expect(await report()).not.toHaveProperty('dueAt');
    const [mail] = fixture.driver.given;
    const { email } = await fixture.get(MailboxesService).get(workspace, mailboxId);
    expect(mail).toMatchObject({ messageId: messageId(), envelope: { from: email } });
    expect([await totals(), await sentToday()]).toEqual([1, 1]);
    const { handovers, reports } = fixture.get(MetricsService);
    const counted = (await reports.get()).values.filter(({ value }) => value > 0);
    expect(counted).toEqual([{ labels: { outcome: 'sent' }, value: 1 }]);
    const taken = (await handovers.get()).values.filter(
      ({ metricName, value }) => metricName?.endsWith('_count') && value > 0,
    );
    expect(taken).toMatchObject([{ labels: { protocol: 'smtp_imap', outcome: 'accepted' }, value: 1 }]);
  });

  it('happens once, however often and by however many workers it is requested', async () => {
    const due = await report();
    await Promise.all(Array.from({ length: 10 }, () => fixture.deliver(due)));
    fixture.clock.advance(DAY_MS);
    await fixture.deliver(due);
    expect(given()).toEqual([messageId()]);
    expect([await totals(), await sentToday()]).toEqual([1, 0]); // The mailbox's next day.
  });

  it('concerns only the workspace that requests it', async () => {
    const { _id } = await report();
    await fixture.deliver({ _id, workspaceId: new Types.ObjectId() });
    expect(given()).toEqual([]);
  });

  describe('when the worker crashes', () => {
    it('during composition: another worker sends it after the lease', async () => {
      fixture.driver.before = crash;
      await expect(deliver()).rejects.toThrow('crashed');
      expect(await report()).toMatchObject({ state: 'planned', attempts: 0 });
      fixture.driver.reset();
      await deliver();
      expect(given()).toEqual([]);
      fixture.clock.advance(LEASE_MS);
      await deliver();
      expect(given()).toEqual([messageId()]);
      expect([await totals(), await sentToday()]).toEqual([1, 1]);
    });

    it('while the server has the mail: the report is looked up and found, and not sent again', async () => {
      fixture.driver.after = crash;
      await expect(deliver()).rejects.toThrow('crashed');
      expect(await report()).toMatchObject({ state: 'sending', attempts: 1, handedAt: MONDAY });
      fixture.driver.found = FOUND;
      fixture.clock.advance(LEASE_MS);
      await deliver();
      expect(await report()).toMatchObject({ state: 'sent', sentAt: MONDAY, attempts: 1 });
      expect([given(), await totals(), await sentToday()]).toEqual([[messageId()], 1, 1]);
    });

    it('while the server has the mail and no lookup finds it: its outcome is unknown, and it is not sent again', async () => {
      fixture.driver.after = crash;
      await expect(deliver()).rejects.toThrow('crashed');
      for (let lookup = 0; lookup < 10; lookup += 1) {
        fixture.clock.advance(30 * MINUTE_MS);
        await deliver();
      }
      expect(await report()).toMatchObject({ state: 'unknown', attempts: 1 });
      expect([given(), await totals()]).toEqual([[messageId()], 0]);
    });

    it('before an existing draft was sent: it is sent after all, once', async () => {
      fixture.driver.outcome = refused('temporary');
      fixture.driver.after = crash;
      await expect(deliver()).rejects.toThrow('crashed');
      fixture.driver.reset();
      fixture.driver.found = { state: 'not_sent' };
      fixture.clock.advance(LEASE_MS);
      await deliver();
      expect(await report()).toMatchObject({ state: 'planned', attempts: 1 });
      fixture.clock.advance(2 * MINUTE_MS);
      await deliver();
      expect(await report()).toMatchObject({ state: 'sent', attempts: 2 });
      expect(given()).toEqual([messageId()]);
    });

    it('and returns late: it changes nothing that another worker has written since', async () => {
      const late = (await fixture
        .get(ReportRepository)
        .acquire(workspace.workspaceId, (await report())._id.toHexString()))!;
      fixture.clock.advance(LEASE_MS);
      await deliver();
      const sent = await report();
      const outbox = fixture.get(ReportRepository);
      expect(await outbox.startHandover(late, { mailboxId: null, messageId: '<late@x>', draftId: null })).toBe(false);
      await outbox.postpone(late, fixture.clock.now(), 'late');
      await outbox.complete(late, { state: 'failed', reason: 'late' });
      expect(await report()).toEqual(sent);
      expect(await totals()).toBe(1);
    });
  });

  it('without a reply of the server is looked up a minute later', async () => {
    fixture.driver.outcome = refused('ambiguous');
    await deliver();
    expect(await report()).toMatchObject({ state: 'sending', dueAt: new Date(MONDAY.getTime() + MINUTE_MS) });
    fixture.driver.found = FOUND;
    fixture.clock.advance(MINUTE_MS);
    await deliver();
    expect(await report()).toMatchObject({ state: 'sent' });
    expect([given(), await sentToday()]).toEqual([[messageId()], 1]);
  });

  it('is retried after temporary refusals, and fails in the end', async () => {
    fixture.driver.outcome = refused('temporary', '451 Later');
    await deliver();
    expect(await report()).toMatchObject({ state: 'planned', reason: '451 Later', attempts: 1 });
    expect(await sentToday()).toBe(0);
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      fixture.clock.advance(8 * 60 * MINUTE_MS);
      await deliver();
    }
    expect(await report()).toMatchObject({ state: 'failed', reason: '451 Later', attempts: MAX_ATTEMPTS });
    expect([given(), await totals()]).toEqual([[], 0]);
  });

  it('fails at once after a permanent refusal, without a password that the server repeats', async () => {
    fixture.driver.outcome = refused('permanent', '550 smtp-canary is not allowed');
    await deliver();
    expect(await report()).toMatchObject({ state: 'failed', reason: '550 [redacted] is not allowed', attempts: 1 });
    expect(await sentToday()).toBe(0);
  });

  it('is retried if the report could not be composed', async () => {
    const broken = { subject: 'two\nlines', html: '<p></p>', text: '', images: [] };
    jest.spyOn(fixture.get(ReportContentService), 'render').mockResolvedValueOnce(broken);
    await deliver();
    expect(await report()).toMatchObject({ state: 'planned', reason: 'The report could not be composed', attempts: 1 });
    fixture.clock.advance(2 * MINUTE_MS);
    await deliver();
    expect(await report()).toMatchObject({ state: 'sent', attempts: 2 });
  });

  it('waits for the mailbox’s next day if its limit is used up, also if the last place is used meanwhile', async () => {
    await begin({ dailySendLimit: 1 });
    const figures = fixture.get(MailboxFiguresService);
    fixture.driver.before = () => figures.count(workspace, mailboxId, { sent: 1 });
    await deliver();
    const tomorrow = new Date('2026-11-24T00:00:00Z');
    expect(await report()).toMatchObject({ state: 'planned', dueAt: tomorrow, attempts: 0 });
    fixture.driver.reset();
    fixture.clock.advance(MINUTE_MS);
    await fixture.reports.updateOne({ workspaceId: workspace.workspaceId }, { dueAt: fixture.clock.now() });
    await deliver();
    expect(await report()).toMatchObject({ state: 'planned', dueAt: tomorrow, attempts: 0 });
    expect(await sentToday()).toBe(1);
    fixture.clock.freeze(tomorrow);
    await deliver();
    expect(await report()).toMatchObject({ state: 'sent', attempts: 1 });
  });

  it('waits for a paused mailbox, and is skipped if the next report is due first', async () => {
    await fixture.get(MailboxUpdateService).pause(workspace, mailboxId);
    await deliver();
    expect(await report()).toMatchObject({ state: 'planned', reason: expect.stringContaining('is paused') as string });
    fixture.clock.advance(7 * DAY_MS);
    await deliver();
    expect(await report()).toMatchObject({ state: 'skipped', reason: expect.stringContaining('is paused') as string });
    expect(given()).toEqual([]);
  });

  it('waits for a stopped mailbox until a person resumes it', async () => {
    const leases = fixture.get(MailboxLeaseService);
    await leases.scheduleNow(workspace.workspaceId, [mailboxId]);
    await leases.stop(workspace.workspaceId, mailboxId, { code: 'REFUSED', message: 'Too many bounces' });
    await deliver();
    expect(await report()).toMatchObject({
      state: 'planned',
      reason: expect.stringContaining('Too many bounces') as string,
    });
    expect(given()).toEqual([]);
  });

  it.each([
    ['paused', () => fixture.get(MailboxUpdateService).pause(workspace, mailboxId)],
    [
      'switched off for sending',
      () => fixture.get(MailboxUpdateService).update(workspace, mailboxId, { sendingEnabled: false }),
    ],
  ])(
    'does not use a mailbox that is %s during composition, and waits without a counted attempt',
    async (_how, stop) => {
      fixture.driver.before = stop;
      await deliver();
      fixture.driver.reset();
      fixture.clock.advance(MINUTE_MS);
      await deliver();
      expect(await report()).toMatchObject({
        state: 'planned',
        attempts: 0,
        reason: expect.stringContaining('is ') as string,
      });
      expect([given(), await sentToday()]).toEqual([[], 0]);
    },
  );

  it('fails with a reason if the workspace has no sender', async () => {
    await fixture.get(ReportSettingsService).set(workspace, { mailboxId: null });
    await deliver();
    expect(await report()).toMatchObject({ state: 'failed', reason: expect.stringContaining('No mailbox') as string });
  });

  it('continues after a worker is told to stop before the server’s last reply', async () => {
    const stopping = new AbortController();
    fixture.driver.before = () => Promise.resolve(stopping.abort());
    await deliver(stopping.signal);
    expect(await report()).toMatchObject({ state: 'planned', attempts: 0 });
    fixture.driver.reset();
    fixture.clock.advance(MINUTE_MS);
    await deliver();
    expect(given()).toEqual([messageId()]);
  });

  describe('is withheld', () => {
    const forbidding: [string, () => Promise<unknown>][] = [
      [
        'the recipient is switched off',
        () => fixture.get(ReportRecipientsService).update(workspace, recipientId, { active: false }),
      ],
      [
        'its schedule is switched off',
        () => fixture.get(ReportRecipientsService).update(workspace, recipientId, { schedule: { enabled: false } }),
      ],
      [
        'its address is changed',
        () => fixture.get(ReportRecipientsService).update(workspace, recipientId, { email: 'new@example.com' }),
      ],
      [
        'the address is suppressed',
        async () => {
          const { email } = await fixture.recipientOf(workspace, recipientId);
          return fixture.get(SuppressionsService).add(workspace, { addresses: [email] }, { source: 'manual' });
        },
      ],
      [
        'its domain is suppressed',
        () => fixture.get(SuppressionsService).add(workspace, { domains: ['example.com'] }, { source: 'manual' }),
      ],
    ];

    it.each(forbidding)('at once when %s', async (_why, forbid) => {
      await forbid();
      expect(await report()).toMatchObject({ state: 'withheld' });
      await deliver();
      expect(given()).toEqual([]);
    });

    it.each(forbidding)('right before the handover when %s meanwhile', async (_why, forbid) => {
      fixture.driver.before = forbid;
      await deliver();
      expect(await report()).toMatchObject({ state: 'withheld', attempts: 0 });
      expect([given(), await totals(), await sentToday()]).toEqual([[], 0, 0]);
    });

    it('when its recipient is deleted meanwhile, and no record of it remains', async () => {
      fixture.driver.before = () => fixture.get(ReportRecipientsService).delete(workspace, recipientId);
      await deliver();
      expect(await fixture.stored(workspace)).toEqual([]);
      expect([given(), await sentToday()]).toEqual([[], 0]);
    });
  });
});

describe('a report that the operator’s server sends', () => {
  let fixture: ReportsFixture;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await ReportsFixture.open({ operator: true });
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.driver.reset();
    fixture.clock.freeze(SUNDAY);
    workspace = await fixture.workspace();
    await fixture.recipient(workspace);
    fixture.clock.freeze(MONDAY);
    await fixture.plan();
  });

  const deliver = async () => fixture.deliver(await fixture.one(workspace));

  it('has the operator’s address and the name of the workspace', async () => {
    await deliver();
    expect(await fixture.one(workspace)).toMatchObject({ state: 'sent', mailboxId: null });
    const [mail] = fixture.driver.given;
    expect(mail?.envelope.from).toBe(OPERATOR);
    expect(mail?.raw.toString()).toContain(`From: Acme <${OPERATOR}>`);
    expect(mail?.messageId).toMatch(/@operator\.example>$/);
  });

  it.each([
    ['without a reply', () => (fixture.driver.outcome = refused('ambiguous')), 0],
    ['whose worker crashes', () => (fixture.driver.after = () => Promise.reject(new Error('crashed'))), LEASE_MS],
  ] as const)(
    'and %s is unknown and not sent again, because the server has no Sent folder to search',
    async (_what, happens, afterMs) => {
      happens();
      await deliver().catch(() => undefined);
      fixture.clock.advance(afterMs);
      for (let lookup = 0; lookup < 6; lookup += 1) {
        await deliver();
        fixture.clock.advance(60 * MINUTE_MS);
      }
      expect(await fixture.one(workspace)).toMatchObject({ state: 'unknown' });
      expect(fixture.driver.given).toHaveLength(1);
    },
  );
});
