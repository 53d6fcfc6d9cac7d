import { type WorkspaceScope } from '@domain/access';
import { MailboxTestService, SendingModule } from '@domain/sending';
import { TransactionService } from '@platform/database';
import { Types } from 'mongoose';
import { MailboxFiguresService } from './mailbox-figures.service';
import { MailboxesService } from './mailboxes.service';
import { MailboxDayRecord } from './schemas/mailbox-day.record';
import { MailboxRecord } from './schemas/mailbox.record';
import { MailboxConnectionFixture } from './testing/mailbox-connection-fixture';
import { refusal } from './testing/scripted.driver';

describe('the figures of a mailbox', () => {
  let fixture: MailboxConnectionFixture;
  let workspace: WorkspaceScope;
  let figures: MailboxFiguresService;

  beforeAll(async () => {
    fixture = await MailboxConnectionFixture.open({}, [SendingModule]);
    figures = fixture.get(MailboxFiguresService);
  });
  beforeEach(async () => {
    workspace = await fixture.workspace();
  });
  afterEach(() => {
    fixture.driver.reset();
    fixture.database.clock.reset();
  });
  afterAll(() => fixture.database.close());

  const connect = async (timezone = 'UTC', dailySendLimit = 30) =>
    (await fixture.connect(workspace, { timezone, dailySendLimit }))._id;
  const get = (id: string) => fixture.get(MailboxesService).get(workspace, id);

  it('are stored by day of its own zone, and as totals', async () => {
    const id = await connect('Asia/Kathmandu');
    await figures.count(workspace, id, { sent: 2, opened: 1 }, new Date('2026-11-21T18:14:59Z'));
    await figures.count(workspace, id, { sent: 1, received: 3, bounced: 1 }, new Date('2026-11-21T18:15:00Z'));
    const days = await fixture
      .model<MailboxDayRecord>(MailboxDayRecord)
      .find({ workspaceId: workspace.workspaceId })
      .sort({ day: 1 })
      .lean();
    expect(days).toEqual([
      expect.objectContaining({
        day: '2026-11-21',
        sent: 2,
        opened: 1,
        received: 0,
        clicked: 0,
        replied: 0,
        failed: 0,
      }),
      expect.objectContaining({ day: '2026-11-22', sent: 1, received: 3, bounced: 1 }),
    ]);
    expect(await get(id)).toMatchObject({ totalSent: 3, totalReceived: 3, bounceRate: 1 / 3 });
  });

  it('of several mailboxes are counted together, each in its own zone; a deleted mailbox is skipped', async () => {
    const [kathmandu, utc] = [await connect('Asia/Kathmandu'), await connect()];
    const at = new Date('2026-11-21T18:15:00Z');
    await figures.countAll(workspace, [
      { mailboxId: kathmandu, figures: { replied: 2, bounced: 1 }, at },
      { mailboxId: utc, figures: { replied: 1 }, at },
      { mailboxId: new Types.ObjectId().toHexString(), figures: { replied: 7 }, at },
      { mailboxId: utc, figures: { replied: 1 }, at: new Date('2026-11-21T18:16:00Z') },
    ]);
    const { workspaceId } = workspace;
    const days = await fixture.model<MailboxDayRecord>(MailboxDayRecord).find({ workspaceId }).sort({ day: 1 }).lean();
    expect(days).toEqual([
      expect.objectContaining({ mailboxId: new Types.ObjectId(utc), day: '2026-11-21', replied: 2, sent: 0 }),
      expect.objectContaining({ mailboxId: new Types.ObjectId(kathmandu), day: '2026-11-22', replied: 2, bounced: 1 }),
    ]);
    const found = await fixture.model<MailboxRecord>(MailboxRecord).find({ workspaceId }).sort({ _id: 1 }).lean();
    expect(found.map(({ totalBounced }) => totalBounced)).toEqual([1, 0]);
  });

  it('lose nothing under concurrent counts', async () => {
    const id = await connect();
    await Promise.all(Array.from({ length: 12 }, () => figures.count(workspace, id, { sent: 1 })));
    expect(await get(id)).toMatchObject({ sentToday: 12, totalSent: 12 });
  });

  it('are not counted by a transaction that fails', async () => {
    const id = await connect();
    const failing = fixture.get(TransactionService).run(async () => {
      await figures.count(workspace, id, { sent: 1 });
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await get(id)).toMatchObject({ sentToday: 0, totalSent: 0 });
  });

  it('are those of today in the mailbox’s zone: its midnight starts a new count', async () => {
    fixture.database.clock.freeze(new Date('2026-11-21T12:30:00Z'));
    const [auckland, honolulu] = [await connect('Pacific/Auckland'), await connect('Pacific/Honolulu')];
    fixture.database.clock.freeze(new Date('2026-11-21T10:59:59Z'));
    for (const id of [auckland, honolulu]) await figures.count(workspace, id, { sent: 5 });
    const list = async () => {
      const { items } = await fixture.get(MailboxesService).list(workspace, { limit: 25 });
      return items.map(({ sentToday }) => sentToday);
    };
    expect(await list()).toEqual([5, 5]);
    fixture.database.clock.freeze(new Date('2026-11-21T11:00:00Z'));
    expect(await list()).toEqual([5, 0]); // Newest first: Honolulu, Auckland.
    fixture.database.clock.freeze(new Date('2026-11-22T10:00:00Z'));
    expect(await list()).toEqual([0, 0]);
  });

  it('are read for a whole list with one query, by an index', async () => {
    for (let index = 0; index < 3; index++) await connect();
    const days = fixture.model<MailboxDayRecord>(MailboxDayRecord);
    const find = jest.spyOn(days, 'find');
    await fixture.get(MailboxesService).list(workspace, { limit: 25 });
    expect(find).toHaveBeenCalledTimes(1);
    const filter: unknown = find.mock.calls[0]![0];
    find.mockRestore();
    const others = Array.from({ length: 300 }, () => ({
      workspaceId: new Types.ObjectId(),
      mailboxId: new Types.ObjectId(),
      day: '2026-11-21',
    }));
    await days.insertMany(others);
    const plan = JSON.stringify(await days.find(filter as never).explain());
    expect(plan).toContain('"indexName":"workspaceId_1_');
  });

  it('do not change the mailbox’s `updatedAt`', async () => {
    const id = await connect();
    const { updatedAt } = await get(id);
    fixture.database.clock.advance(60_000);
    await figures.count(workspace, id, { sent: 1 });
    expect((await get(id)).updatedAt).toBe(updatedAt);
  });

  describe('as analytics', () => {
    const analytics = (id: string, query: object) => fixture.get(MailboxFiguresService).readDays(workspace, id, query);

    it('have every day of the range, and its sums', async () => {
      const id = await connect();
      await figures.count(workspace, id, { sent: 2, clicked: 1 }, new Date('2028-02-28T10:00:00Z'));
      await figures.count(workspace, id, { sent: 1, failed: 1 }, new Date('2028-03-01T10:00:00Z'));
      const zero = { sent: 0, received: 0, opened: 0, clicked: 0, replied: 0, bounced: 0, failed: 0 };
      expect(await analytics(id, { from: '2028-02-28', to: '2028-03-01' })).toEqual({
        mailboxId: id,
        timezone: 'UTC',
        from: '2028-02-28',
        to: '2028-03-01',
        totals: { ...zero, sent: 3, clicked: 1, failed: 1 },
        days: [
          { ...zero, day: '2028-02-28', sent: 2, clicked: 1 },
          { ...zero, day: '2028-02-29' },
          { ...zero, day: '2028-03-01', sent: 1, failed: 1 },
        ],
      });
    });

    it('cover the last thirty days by default, including today in the mailbox’s zone', async () => {
      const id = await connect('Pacific/Auckland');
      fixture.database.clock.freeze(new Date('2026-11-21T11:00:00Z'));
      const read = await analytics(id, {});
      expect([read.from, read.to, read.days.length]).toEqual(['2026-10-24', '2026-11-22', 30]);
      expect(await analytics(id, { from: '2026-11-20' })).toMatchObject({ to: '2026-11-22' });
      expect(await analytics(id, { to: '2026-01-30' })).toMatchObject({ from: '2026-01-01' });
    });

    it('cover at most 366 days, in order', async () => {
      const id = await connect();
      expect((await analytics(id, { from: '2028-01-01', to: '2028-12-31' })).days).toHaveLength(366);
      for (const to of ['2029-01-01', '2027-12-31']) {
        await expect(analytics(id, { from: '2028-01-01', to })).rejects.toMatchObject({ details: [{ field: 'to' }] });
      }
    });
  });

  describe('of a test', () => {
    const test = (id: string) => fixture.get(MailboxTestService).test(workspace, id, { sendTo: 'bob@leads.test' });

    it('count the sent mail, and refuse one beyond the daily limit', async () => {
      const id = await connect('UTC', 1);
      const { sent } = await test(id);
      expect(sent).toMatchObject({ to: 'bob@leads.test', outcome: 'accepted', response: '250 queued' });
      expect(sent?.messageId).toMatch(/^<[0-9a-f]{24}@mail\.test>$/);
      expect(fixture.driver.sent.map(({ envelope }) => envelope.to)).toEqual(['bob@leads.test']);
      expect(await get(id)).toMatchObject({ sentToday: 1, totalSent: 1 });
      await expect(test(id)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(fixture.driver.sent).toHaveLength(1);
      fixture.database.clock.advance(86_400_000);
      expect((await test(id)).sent).toMatchObject({ outcome: 'accepted' });
    });

    it('give the last place to one of two concurrent tests', async () => {
      const id = await connect('UTC', 1);
      const both = await Promise.allSettled([test(id), test(id)]);
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(fixture.driver.sent).toHaveLength(1);
      expect(await get(id)).toMatchObject({ sentToday: 1 });
    });

    it.each([
      ['refused during the handover', 'permanent', 0],
      ['perhaps accepted', 'ambiguous', 1],
    ] as const)('of a mail that was %s', async (_what, kind, counted) => {
      const id = await connect();
      const accepted = fixture.driver.outcome;
      fixture.driver.outcome = { kind, ...refusal({ failure: kind, stage: 'handover', lastReply: null }) };
      expect((await test(id)).sent).toMatchObject({ outcome: kind, response: 'The login was refused' });
      fixture.driver.outcome = accepted;
      expect(await get(id)).toMatchObject({ sentToday: counted, totalSent: counted });
    });

    it('stay unchanged if the outgoing server refuses the login, and the failure is stored with the mailbox', async () => {
      const id = await connect();
      fixture.driver.failures.set('smtp.mail.test', refusal());
      expect(await test(id)).toEqual({
        outgoing: {
          ok: false,
          error: {
            stage: 'login',
            message: 'The login was refused',
            code: '535',
            command: 'AUTH',
            response: '535 5.7.8 Bad credentials',
          },
        },
        incoming: { ok: true, error: null },
        sent: null,
      });
      expect(await get(id)).toMatchObject({ status: 'disconnected', sentToday: 0, lastError: { code: '535' } });
      fixture.driver.reset();
      await test(id);
      expect(await get(id)).toMatchObject({ status: 'active', lastError: null, sentToday: 1 });
    });
  });

  it('are stored only for mailboxes of the workspace', async () => {
    const id = await connect();
    const other = await fixture.workspace();
    await expect(figures.count(other, id, { sent: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const record = await fixture
      .model<MailboxRecord>(MailboxRecord)
      .findOne({ workspaceId: workspace.workspaceId, _id: id });
    expect(record?.totalSent).toBe(0);
  });
});
