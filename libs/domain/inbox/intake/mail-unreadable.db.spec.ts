import { type MailChange, MailError, type MailSession } from '@adapters/mail';
import { type MailboxMessageRecord, MailboxesService, UnreadableMessageService } from '@domain/mailboxes';
import { InboxFixture } from '../testing/inbox-fixture';
import { type Written } from '../testing/inbox-records';
import { mail } from '../testing/mails';
import { MailIntakeService } from './mail-intake.service';

const ADA = 'ada@acme.test';
const HOUR_MS = 3_600_000;

describe('a message that the server does not return', () => {
  let inbox: InboxFixture;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
  });
  afterAll(() => inbox.close());
  beforeEach(() => inbox.fresh());

  let fetching: jest.SpyInstance;
  const trouble = new MailError({ failure: 'permanent', stage: 'request', message: 'NO broken' });

  /** The server returns it neither in lists nor by a fetch until it is restored. */
  const arrivesUnread = async (raw: string) => {
    const session = inbox.driver.open({ kind: 'fake', id: 'x', revision: '0', email: inbox.mailbox.email });
    const proto = Object.getPrototypeOf(session) as MailSession;
    const { sync } = proto;
    fetching = jest.spyOn(proto, 'fetchRaw').mockRejectedValue(trouble);
    const listing = jest.spyOn(proto, 'sync').mockImplementation(async function (this: MailSession, request) {
      const batch = await sync.call(this, request);
      const unread = ({ ref, role }: MailChange) => ({ kind: 'unreadable', ref, role, reason: 'NO broken' }) as const;
      return { ...batch, changes: batch.changes.map(unread) };
    });
    await inbox.arrives(raw);
    listing.mockRestore();
  };
  afterEach(() => fetching.mockRestore());
  const later = async (hours: number) => {
    inbox.clock.advance(hours * HOUR_MS + 1);
    await inbox.get(UnreadableMessageService).retryDue();
    await inbox
      .get(MailIntakeService)
      .process({ workspaceId: inbox.workspaceId, mailboxId: inbox.mailbox._id.toHexString() });
  };
  const told = async () =>
    (await inbox.get(MailboxesService).getSettings(inbox.workspace, inbox.mailbox._id.toHexString())).unreadable;
  const answer = ({ send }: Written) => mail({ from: ADA, inReplyTo: send.messageId, text: 'Hello' });

  it('is reported by its mailbox, and fetched again until the server returns it', async () => {
    expect(await told()).toBeNull();
    const written = await inbox.written(ADA);
    await arrivesUnread(answer(written));
    const noticed = inbox.clock.now();
    expect(await told()).toEqual({
      count: 1,
      reason: 'NO broken',
      latestAt: expect.any(String) as string,
      nextTryAt: expect.any(String) as string,
    });
    expect(Date.parse((await told())!.nextTryAt!) - noticed.getTime()).toBeLessThanOrEqual(HOUR_MS);
    await later(1);
    expect((await inbox.lead(written)).status).toBe('active');
    expect(Date.parse((await told())!.nextTryAt!) - inbox.clock.now().getTime()).toBe(2 * HOUR_MS);
    fetching.mockRestore();
    await later(1.5);
    expect((await inbox.lead(written)).status).toBe('active');
    await later(1);
    expect((await inbox.lead(written)).stopReason).toBe('replied');
    expect(await told()).toBeNull();
    expect(await inbox.conversations()).toMatchObject([{ email: ADA, messageCount: 1 }]);
  });

  it('stays one message when the mailbox is read again from the start', async () => {
    const written = await inbox.written(ADA);
    await arrivesUnread(answer(written));
    const { workspaceId, mailbox } = inbox;
    const of = { _id: mailbox._id, workspaceId };
    await inbox.model({ name: 'MailboxSyncRecord' }).updateOne(of, { $set: { cursor: null } });
    fetching.mockRestore();
    await inbox.look();
    await later(1);
    expect((await inbox.stats(written)).stats.replied).toBe(1);
    expect(await told()).toBeNull();
    expect((await inbox.messages()).map(({ state, rule }) => [state, rule])).toContainEqual(['done', 'known']);
  });

  it('is retried at growing intervals, for thirty days', async () => {
    await arrivesUnread(mail({ from: ADA, text: 'Hello' }));
    let tries = 0;
    for (let hour = 0; hour < 40 * 24; hour += 1) {
      const before = (await told())?.nextTryAt;
      if (before == null) break;
      inbox.clock.freeze(new Date(Date.parse(before)));
      await inbox.get(UnreadableMessageService).retryDue();
      tries += 1;
    }
    expect(tries).toBeGreaterThan(28);
    expect(tries).toBeLessThan(40);
    expect(await told()).toMatchObject({ count: 1, nextTryAt: null });
  });

  it('is not reported after its removal, and not fetched while its mailbox is not connected', async () => {
    await arrivesUnread(mail({ from: ADA, text: 'Hello' }));
    const of = { workspaceId: inbox.workspaceId, _id: inbox.mailbox._id };
    const state = (connection: string) =>
      inbox.model({ name: 'MailboxRecord' }).updateOne(of, { $set: { 'connection.state': connection } });
    await state('degraded');
    fetching.mockRestore();
    await inbox.get(UnreadableMessageService).retryDue();
    expect(await inbox.messages()).toMatchObject([{ state: 'unreadable' }]);
    await inbox
      .model<MailboxMessageRecord>({ name: 'MailboxMessageRecord' })
      .updateMany({ workspaceId: inbox.workspaceId }, { $set: { goneAt: inbox.clock.now() } });
    expect(await told()).toBeNull();
  });
});
