import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { MailboxDeletionService, MailboxesService } from '@domain/mailboxes';
import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { WarmupDayRecord } from '../schemas/warmup-day.record';
import { WarmupMailRecord } from '../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../schemas/warmup-thread.record';
import { WarmupRecord } from '../schemas/warmup.record';
import { WarmupFixture } from '../testing/warmup-fixture';
import { WarmupAnalyticsService } from './warmup-analytics.service';
import { WarmupProgressService } from './warmup-progress.service';
import { WarmupsService } from './warmups.service';

let fixture: WarmupFixture;
let workspace: WorkspaceScope;
let mailboxId: string;

beforeAll(async () => {
  fixture = await WarmupFixture.open();
});
beforeEach(async () => {
  fixture.clock.freeze(new Date('2026-11-16T09:00:00Z'));
  workspace = await fixture.workspace();
  mailboxId = await fixture.mailbox(workspace, { timezone: 'Asia/Kathmandu', dailySendLimit: 100 });
});
afterAll(() => fixture.close());

function model<T>(record: { name: string }): Model<T> {
  return fixture.get(getModelToken(record.name));
}

const mailbox = () => ({
  workspaceId: new Types.ObjectId(workspace.workspaceId),
  mailboxId: new Types.ObjectId(mailboxId),
});
const close = async () => (await fixture.get(WarmupProgressService).closeDays(workspace.workspaceId, mailboxId)).state;
const shown = async () => (await fixture.get(MailboxesService).get(workspace, mailboxId)).warmup;
const start = () => fixture.get(WarmupsService).start(workspace, mailboxId);
const happened = (day: string, figures: Partial<WarmupDayRecord>) =>
  model<WarmupDayRecord>(WarmupDayRecord).insertMany([{ ...mailbox(), day, ...figures }]);
const usual = { attempted: 20, sent: 20, inbox: 20 };

async function audited(action: 'warmup.suspended' | 'warmup.completed') {
  const { items } = await fixture.get(AuditService).list(workspace, { limit: 25, action });
  return items;
}

describe('closing the days of a warmup', () => {
  it('advances it once for each past day with mail in its zone, however often it runs', async () => {
    await start();
    await happened('2026-11-16', usual);
    await happened('2026-11-17', { received: 5 });
    await happened('2026-11-18', usual);
    await happened('2026-11-19', usual);
    fixture.clock.freeze(new Date('2026-11-18T18:14:00Z')); // It is still the 18th in Kathmandu.
    expect(await close()).toMatchObject({ currentDay: 2, currentVolume: 11, closedDay: '2026-11-17' });
    expect(await close()).toMatchObject({ currentDay: 2 });
    fixture.clock.freeze(new Date('2026-11-18T18:15:00Z'));
    expect(await close()).toMatchObject({ currentDay: 3, currentVolume: 12, closedDay: '2026-11-18' });
    expect(await shown()).toMatchObject({ currentDay: 3, currentVolume: 12, metrics: { totalEmailsSent: 60 } });
  });

  it('closes each day once, even with two concurrent workers', async () => {
    await start();
    await happened('2026-11-16', usual);
    fixture.clock.freeze(new Date('2026-11-17T01:00:00Z'));
    await Promise.all([close(), close(), close()]);
    expect(await close()).toMatchObject({ currentDay: 2, closedDay: '2026-11-16' });
  });

  it('suspends the warmup for its results, cancels planned mail and writes an audit entry', async () => {
    await start();
    await happened('2026-11-16', { attempted: 20, sent: 20, bounced: 3, inbox: 17 });
    await fixture.plan(mailbox(), '2026-11-17');
    fixture.clock.freeze(new Date('2026-11-17T01:00:00Z'));
    const message = '3 of 20 recent warmup mails bounced or were blocked';
    expect(await close()).toMatchObject({
      status: 'suspended',
      suspension: { code: 'bounces', message },
      nextAt: null,
    });
    expect(await shown()).toMatchObject({ enabled: false, status: 'suspended', metrics: { bounceRate: 0.15 } });
    expect(await model(WarmupMailRecord).countDocuments(mailbox())).toBe(0);
    expect(await model(WarmupThreadRecord).countDocuments(mailbox())).toBe(0);
    expect(await audited('warmup.suspended')).toEqual([
      expect.objectContaining({
        actor: expect.objectContaining({ kind: 'system' }) as unknown,
        changes: expect.objectContaining({ status: { from: 'in_progress', to: 'suspended' } }) as unknown,
      }),
    ]);
  });

  it('does not suspend it again for the same results after a person resumed it', async () => {
    await start();
    await happened('2026-11-16', { attempted: 20, sent: 20, bounced: 3, inbox: 17 });
    fixture.clock.freeze(new Date('2026-11-17T06:00:00Z'));
    await close();
    await start();
    await happened('2026-11-17', usual);
    await happened('2026-11-18', usual);
    fixture.clock.freeze(new Date('2026-11-19T01:00:00Z'));
    expect(await close()).toMatchObject({ status: 'in_progress', currentDay: 4, slowdown: { reason: 'suspension' } });
  });

  it('also closes the days after the suspending one, so that they do not count after a resume', async () => {
    await start();
    await happened('2026-11-16', { attempted: 20, sent: 20, bounced: 3, inbox: 17 });
    await happened('2026-11-17', usual);
    fixture.clock.freeze(new Date('2026-11-18T06:00:00Z'));
    expect(await close()).toMatchObject({ status: 'suspended', currentDay: 2, closedDay: '2026-11-17' });
    await start();
    fixture.clock.freeze(new Date('2026-11-19T06:00:00Z'));
    expect(await close()).toMatchObject({ status: 'in_progress', currentDay: 2, currentVolume: 5 });
  });

  it('completes the warmup, which then continues', async () => {
    await start();
    await model<WarmupRecord>(WarmupRecord).updateOne(
      { workspaceId: workspace.workspaceId, _id: mailboxId },
      { $set: { currentDay: 29, currentVolume: 25, daysAtVolume: 13 } },
    );
    await happened('2026-11-16', usual);
    fixture.clock.freeze(new Date('2026-11-17T01:00:00Z'));
    expect(await close()).toMatchObject({ status: 'completed', currentDay: 30, currentVolume: 25 });
    expect(await shown()).toMatchObject({ enabled: true, status: 'completed' });
    expect(await audited('warmup.completed')).toHaveLength(1);
    await happened('2026-11-17', usual);
    fixture.clock.freeze(new Date('2026-11-18T01:00:00Z'));
    expect(await close()).toMatchObject({ status: 'completed', currentDay: 31 });
    expect(await audited('warmup.completed')).toHaveLength(1);
  });

  it('changes nothing for a warmup that does not send or for an earlier run', async () => {
    await happened('2026-11-10', usual);
    expect(await close()).toMatchObject({ status: 'not_started', currentDay: 0 });
    await start();
    expect(await close()).toMatchObject({ currentDay: 1, metrics: null });
    await fixture.get(WarmupsService).pause(workspace, mailboxId);
    await happened('2026-11-16', usual);
    fixture.clock.freeze(new Date('2026-11-18T01:00:00Z'));
    expect(await close()).toMatchObject({ status: 'paused', currentDay: 1, closedDay: '' });
    await start();
    expect(await close()).toMatchObject({ status: 'in_progress', currentDay: 2, closedDay: '2026-11-16' });
  });
});

describe('a deleted mailbox', () => {
  it('takes its warmup and its own mails, threads and days with it, not those of other mailboxes', async () => {
    const other = await fixture.mailbox(workspace);
    await start();
    await happened('2026-11-16', usual);
    await fixture.plan(mailbox(), '2026-11-16');
    const theirs = { ...mailbox(), mailboxId: new Types.ObjectId(other) };
    await fixture.plan(theirs, '2026-11-16');
    await fixture.get(MailboxDeletionService).delete(workspace, mailboxId, {});
    expect(await model(WarmupRecord).countDocuments({ workspaceId: workspace.workspaceId })).toBe(0);
    await fixture.get(MailboxDeletionService).eraseDeleted(new AbortController().signal);
    const left = [WarmupMailRecord, WarmupThreadRecord, WarmupDayRecord].map((record) =>
      Promise.all([model(record).countDocuments(mailbox()), model(record).countDocuments(theirs)]),
    );
    expect(await Promise.all(left)).toEqual([
      [0, 1],
      [0, 1],
      [0, 0],
    ]);
  });
});

describe('the stored records of warmups', () => {
  it('are unique by thread position, Message-ID and position of the day', async () => {
    const { threadId, mail, thread } = await fixture.plan(mailbox(), '2026-11-16');
    const again = (fields: object) =>
      model(WarmupMailRecord).insertMany([{ ...mail, _id: new Types.ObjectId(), ...fields }]);
    await expect(again({})).rejects.toThrow('duplicate');
    await again({ direction: 'received', state: 'received', messageId: '<a@b>' });
    await again({ threadId: new Types.ObjectId(), messageId: '<a@b>' });
    await expect(again({ threadId: new Types.ObjectId(), messageId: '<a@b>' })).rejects.toThrow('duplicate');
    const copy = { ...thread, _id: new Types.ObjectId() };
    await expect(model(WarmupThreadRecord).insertMany([copy])).rejects.toThrow('duplicate');
    await model(WarmupThreadRecord).insertMany([{ ...copy, ordinal: 7 }]);
    await expect(happened('2026-11-16', {}).then(() => happened('2026-11-16', {}))).rejects.toThrow('duplicate');
    expect(threadId).toBeInstanceOf(Types.ObjectId);
  });

  it('are listed as activity by an index, without reading other mails', async () => {
    const mails = model<WarmupMailRecord>(WarmupMailRecord);
    const { mail } = await fixture.plan(mailbox(), '2026-11-16');
    const others = Array.from({ length: 200 }, (_, index) => ({
      ...mail,
      _id: new Types.ObjectId(),
      threadId: new Types.ObjectId(),
      mailboxId: index < 10 ? mail.mailboxId : new Types.ObjectId(),
      state: 'sent' as const,
      at: new Date(Date.UTC(2026, 10, 1) + index),
    }));
    await mails.insertMany(others);
    const find = jest.spyOn(mails, 'find');
    const { items } = await fixture.get(WarmupAnalyticsService).listActivity(workspace, mailboxId, { limit: 25 });
    const filter: unknown = find.mock.calls[0]![0];
    find.mockRestore();
    expect(items).toHaveLength(10);
    const plan = await mails
      .find(filter as never)
      .sort({ at: -1, _id: -1 })
      .limit(26)
      .explain('executionStats');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: 10 } });
    expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_mailboxId_1_at_-1__id_-1"');
  });

  it.each([
    ['due warmups', WarmupRecord, { nextAt: { $gt: new Date(0) } }, 'nextAt_1__id_1'],
    ['the members of a pool', WarmupRecord, { status: { $in: ['in_progress', 'completed'] } }, 'status_1__id_1'],
    ['mails to open', WarmupMailRecord, { opensAt: { $gt: new Date(0) } }, 'opensAt_1__id_1'],
  ])('are found by an index: %s', async (_what, record, filter, index) => {
    const plan = await model<Record<string, unknown>>(record)
      .find(filter as never)
      .setOptions({ allWorkspaces: 'a test' })
      .explain();
    expect(JSON.stringify(plan)).toContain(`"indexName":"${index}"`);
  });
});
