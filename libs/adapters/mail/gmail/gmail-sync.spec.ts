import { type MailChange, type SyncBatch } from '../port/changes';
import { type FolderRole } from '../port/folder';
import { type MailSession } from '../port/session';
import { type GmailFixture, mail, openGmailFixture } from './testing/gmail-fixture';
import { refusals } from './testing/gmail-refusals';

const EPOCH = new Date('2026-01-01T00:00:00Z');

describe('syncing a Gmail mailbox', () => {
  let gmail: GmailFixture;
  beforeEach(async () => {
    gmail = await openGmailFixture({ maxPage: 3 });
  });
  afterEach(() => gmail.close());

  const sync = (cursor: string | null, limit = 100, session: MailSession = gmail.session): Promise<SyncBatch> =>
    session.sync({ cursor, since: EPOCH, limit });
  const all = async (cursor: string | null, limit = 100, roles?: FolderRole[]) => {
    const changes: MailChange[] = [];
    let batch: SyncBatch | undefined;
    do {
      const from = batch?.cursor ?? cursor;
      batch = await gmail.session.sync({ cursor: from, since: EPOCH, limit, ...(roles ? { roles } : {}) });
      changes.push(...batch.changes);
    } while (batch.more);
    return { changes, cursor: batch.cursor };
  };
  const brief = (changes: readonly MailChange[]) => changes.map(({ kind, role, ref }) => `${kind} ${role} ${ref.id}`);

  describe('for the first time', () => {
    it('reports the messages of the requested folders with thread, size and time, over all pages', async () => {
      const stored = Array.from({ length: 7 }, () => gmail.mailbox.deliver(mail()));
      gmail.mailbox.deliver(mail(), ['SENT']);
      gmail.mailbox.deliver(mail(), ['UNREAD']);
      gmail.mailbox.createDraft(mail(), undefined);
      const promoted = gmail.mailbox.deliver(mail(), ['INBOX', 'CATEGORY_PROMOTIONS']);
      const junk = gmail.mailbox.deliver(mail(), ['SPAM']);
      const { changes } = await all(null, 4);
      expect(brief(changes)).toEqual([
        ...stored.map(({ id }) => `message inbox ${id}`),
        `message promotions ${promoted.id}`,
        `message junk ${junk.id}`,
      ]);
      expect(changes[0]).toMatchObject({
        ref: { folder: 'INBOX', id: stored[0]?.id },
        threadId: stored[0]?.threadId,
        size: stored[0]?.raw.length,
        receivedAt: new Date(stored[0]?.internalDate ?? 0),
      });
    });

    it('uses the time of receipt at Gmail, not the sender’s clock', async () => {
      const since = new Date('2026-11-20T12:00:00Z');
      gmail.mailbox.deliver(mail(), ['INBOX'], new Date('2026-11-20T11:59:59.999Z'));
      const first = gmail.mailbox.deliver(mail({ Date: 'Thu, 1 Jan 2015 00:00:00 +0000' }), ['INBOX'], since);
      const { changes } = await gmail.session.sync({ cursor: null, since, limit: 10 });
      expect(brief(changes)).toEqual([`message inbox ${first.id}`]);
      const query = gmail.server.requests.find(({ method }) => method === 'messages.list')?.query.get('q');
      expect(query).toBe(`after:${since.getTime() / 1_000 - 86_400}`);
    });

    it('misses no mail that arrives during the read', async () => {
      for (let count = 0; count < 4; count++) gmail.mailbox.deliver(mail());
      const first = await sync(null, 2);
      const late = gmail.mailbox.deliver(mail());
      const rest = await all(first.cursor, 2);
      const { changes } = await all(rest.cursor, 2);
      expect([...first.changes, ...rest.changes]).toHaveLength(4);
      expect(brief(changes)).toEqual([`message inbox ${late.id}`]);
    });

    it('misses no mail when messages disappear during the read, even in another process', async () => {
      const stored = Array.from({ length: 6 }, () => gmail.mailbox.deliver(mail()));
      const first = await sync(null, 2);
      for (const { id } of stored.slice(0, 2)) gmail.mailbox.remove(id);
      gmail.mailbox.deliver(mail(), ['INBOX'], new Date('2026-02-01T00:00:00Z'));
      const second = await sync(first.cursor, 2, gmail.reopen());
      expect(brief(second.changes)).toEqual(stored.slice(2, 4).map(({ id }) => `message inbox ${id}`));
    });

    it('lists the mailbox once for all batches', async () => {
      for (let count = 0; count < 6; count++) gmail.mailbox.deliver(mail());
      await all(null, 1);
      const listings = gmail.server.requests.filter(({ method }) => method === 'messages.list');
      expect(listings).toHaveLength(3); // two pages of the inbox, one of the spam folder
    });
  });

  describe('afterwards', () => {
    it('returns only the cursor without changes', async () => {
      const { cursor } = await all(null);
      expect(await sync(cursor)).toEqual({ changes: [], cursor, more: false, restarted: [] });
    });

    it.each([1, 2, 3, 5, 100])('reports each message once over pages of three and batches of %d', async (limit) => {
      const { cursor } = await all(null);
      const stored = Array.from({ length: 10 }, () => gmail.mailbox.deliver(mail()));
      const { changes } = await all(cursor, limit);
      expect(brief(changes)).toEqual(stored.map(({ id }) => `message inbox ${id}`));
    });

    it('reports the remaining mail after a crash, and repeats only what was not stored', async () => {
      const { cursor } = await all(null);
      const stored = Array.from({ length: 5 }, () => gmail.mailbox.deliver(mail()));
      const kept = await sync(cursor, 2);
      await sync(kept.cursor, 2); // the process crashes before this batch is stored
      const session = gmail.reopen();
      const again = await sync(kept.cursor, 2, session);
      const rest = await sync(again.cursor, 2, session);
      const reported = [kept, again, rest].flatMap(({ changes }) => changes);
      expect(brief(reported)).toEqual(stored.map(({ id }) => `message inbox ${id}`));
    });

    it('continues inside a single action with more changes than a batch', async () => {
      const ids = Array.from({ length: 5 }, () => gmail.mailbox.deliver(mail()).id);
      const { cursor } = await all(null);
      gmail.mailbox.relabelAll(ids, 'TRASH');
      const first = await sync(cursor, 2);
      expect(first).toMatchObject({ changes: [{}, {}], more: true });
      const { changes } = await all(first.cursor, 2);
      expect(brief([...first.changes, ...changes])).toEqual(ids.map((id) => `moved trash ${id}`));
    });

    it('reports the net change of a message', async () => {
      await gmail.close();
      gmail = await openGmailFixture();
      const { cursor } = await all(null);
      const { mailbox } = gmail;
      const [kept, archived, deleted] = [mailbox.deliver(mail()), mailbox.deliver(mail()), mailbox.deliver(mail())];
      mailbox.relabel(kept.id, ['STARRED'], ['UNREAD']);
      mailbox.relabel(archived.id, [], ['INBOX', 'UNREAD']);
      mailbox.remove(deleted.id);
      const { changes } = await all(cursor);
      expect(brief(changes)).toEqual([`message inbox ${kept.id}`, `message archive ${archived.id}`]);
      expect(changes[0]).toMatchObject({ flags: { seen: true, flagged: true } });
    });

    it('reports a reply that was archived at once, even when a later page shows it', async () => {
      const { cursor } = await all(null);
      const reply = gmail.mailbox.deliver(mail());
      for (let count = 0; count < 6; count++) gmail.mailbox.deliver(mail(), ['SENT']);
      gmail.mailbox.relabel(reply.id, [], ['INBOX']);
      const { changes } = await all(cursor);
      expect(brief(changes)[0]).toBe(`message archive ${reply.id}`);
    });

    it('reports a reply that is archived while it is read', async () => {
      const { cursor } = await all(null);
      const { id } = gmail.mailbox.deliver(mail());
      const archive = (): boolean => !gmail.mailbox.relabel(id, [], ['INBOX']);
      gmail.server.trouble({ on: 'messages.get', fault: { lost: 'reset' }, when: archive });
      const batch = await sync(cursor);
      expect(brief(batch.changes)).toEqual([`message archive ${id}`]);
      expect(brief((await all(batch.cursor)).changes)).toEqual([`moved archive ${id}`]);
    });

    it('does not report mail that a filter filed elsewhere, drafts or own sent mail', async () => {
      const { cursor } = await all(null);
      const label = gmail.mailbox.createLabel('Newsletters');
      gmail.mailbox.deliver(mail(), [label, 'UNREAD']);
      gmail.mailbox.deliver(mail(), ['SENT']);
      gmail.mailbox.sendDraft(gmail.mailbox.createDraft(mail(), undefined));
      expect((await all(cursor)).changes).toEqual([]);
    });

    it.each<[string, string[], string[], string]>([
      ['to spam', ['SPAM'], ['INBOX'], 'moved junk'],
      ['to the bin', ['TRASH'], ['INBOX'], 'moved trash'],
      ['to the archive', [], ['INBOX'], 'moved archive'],
      ['to the promotions', ['CATEGORY_PROMOTIONS'], [], 'moved promotions'],
      ['to a label', ['Label_1'], ['INBOX'], 'moved null'],
    ])('reports a message that was moved %s', async (_name, add, remove, expected) => {
      gmail.mailbox.createLabel('Clients');
      const { id } = gmail.mailbox.deliver(mail());
      const { cursor } = await all(null);
      gmail.mailbox.relabel(id, add, remove);
      expect(brief((await all(cursor)).changes)).toEqual([`${expected} ${id}`]);
    });

    it('reports mail moved in from other folders as a message', async () => {
      const { id } = gmail.mailbox.deliver(mail(), ['UNREAD']);
      const { cursor } = await all(null);
      gmail.mailbox.relabel(id, ['INBOX'], []);
      expect(brief((await all(cursor)).changes)).toEqual([`message inbox ${id}`]);
    });

    it('reports both changes of a read and moved message, even in batches of one', async () => {
      const { id } = gmail.mailbox.deliver(mail());
      const { cursor } = await all(null);
      gmail.mailbox.relabel(id, ['SPAM'], ['INBOX', 'UNREAD']);
      const { changes } = await all(cursor, 1);
      expect(brief(changes)).toEqual([`moved junk ${id}`, `flags junk ${id}`]);
    });

    it('reads the requested folders', async () => {
      const { cursor } = await all(null, 100, ['sent', 'all']);
      const sent = gmail.mailbox.deliver(mail(), ['SENT']);
      const archived = gmail.mailbox.deliver(mail(), []);
      gmail.mailbox.deliver(mail(), ['SPAM']);
      const { changes } = await all(cursor, 100, ['sent', 'all']);
      expect(brief(changes)).toEqual([`message sent ${sent.id}`, `message archive ${archived.id}`]);
    });
  });

  describe('when the history has expired', () => {
    it('reads mail since the given time again, and reports the restart until it is complete', async () => {
      const old = gmail.mailbox.deliver(mail(), ['INBOX'], new Date('2025-12-31T00:00:00Z'));
      const known = gmail.mailbox.deliver(mail());
      const { cursor } = await all(null);
      const missed = gmail.mailbox.deliver(mail());
      gmail.mailbox.forgetHistory();
      const first = await sync(cursor, 1);
      const second = await sync(first.cursor, 1, gmail.reopen());
      expect([first, second].map(({ restarted }) => restarted)).toEqual([
        ['INBOX', 'CATEGORY_PROMOTIONS', 'SPAM'],
        ['INBOX', 'CATEGORY_PROMOTIONS', 'SPAM'],
      ]);
      const reported = [...first.changes, ...second.changes, ...(await all(second.cursor)).changes];
      expect(brief(reported)).toEqual([`message inbox ${known.id}`, `message inbox ${missed.id}`]);
      expect(brief(reported).join()).not.toContain(old.id);
      expect((await sync((await all(second.cursor)).cursor)).restarted).toEqual([]);
    });

    it.each(['nonsense', '{"v":9}', '{"v":1,"h":"99999999999"}'])(
      'does the same with the cursor %s',
      async (cursor) => {
        const { id } = gmail.mailbox.deliver(mail());
        const batch = await sync(cursor);
        expect(brief(batch.changes)).toEqual([`message inbox ${id}`]);
        expect(batch.restarted).not.toEqual([]);
      },
    );
  });

  describe('with a faulty message', () => {
    const bad = (fault: Parameters<GmailFixture['server']['trouble']>[0]['fault'], times: number) => {
      const { id } = gmail.mailbox.deliver(mail());
      gmail.server.trouble({ on: 'messages.get', fault, times, when: ({ ids }) => ids[0] === id });
      return id;
    };

    it('skips a message that was deleted before it is read', async () => {
      const { cursor } = await all(null);
      bad({ reply: refusals.notFound() }, 9);
      const { id } = gmail.mailbox.deliver(mail());
      expect(brief((await all(cursor)).changes)).toEqual([`message inbox ${id}`]);
    });

    it.each([
      ['is refused for good', { reply: refusals.invalid('Message unavailable') }],
      ['comes without headers', { reply: { status: 200, body: { id: 'x', labelIds: ['INBOX'], internalDate: '1' } } }],
      ['comes without a time', { reply: { status: 200, body: { id: 'x', labelIds: ['INBOX'], payload: {} } } }],
    ])('reports a message that %s as unreadable, and continues', async (_name, fault) => {
      const { cursor } = await all(null);
      const id = bad(fault, 1);
      const after = gmail.mailbox.deliver(mail());
      const { changes } = await all(cursor);
      expect(brief(changes)).toEqual([`unreadable inbox ${id}`, `message inbox ${after.id}`]);
      expect(changes[0]).toMatchObject({ reason: expect.stringMatching(/\S/) });
    });

    it('does so in the first sync too', async () => {
      const id = bad({ reply: refusals.invalid('Message unavailable') }, 9);
      expect(brief((await all(null)).changes)).toEqual([`unreadable null ${id}`]);
    });

    it('retries a message for which Gmail fails, but not forever', async () => {
      const { cursor } = await all(null);
      const id = bad({ reply: refusals.backend() }, 12);
      for (let attempt = 1; attempt <= 2; attempt++) {
        await expect(sync(cursor)).rejects.toMatchObject({ failure: 'temporary', lastReply: { code: '503' } });
      }
      expect(brief((await sync(cursor)).changes)).toEqual([`unreadable inbox ${id}`]);
    });

    it('never treats an outage or a quota as a broken message', async () => {
      const { cursor } = await all(null);
      const { id } = gmail.mailbox.deliver(mail());
      gmail.server.trouble({ on: 'messages.get', fault: { lost: 'reset' }, times: 20 });
      for (let attempt = 0; attempt < 5; attempt++)
        await expect(sync(cursor)).rejects.toMatchObject({ lastReply: null });
      gmail.server.trouble({ on: 'messages.get', fault: { reply: refusals.rateLimit('9') }, times: 5 });
      for (let attempt = 0; attempt < 5; attempt++) {
        await expect(sync(cursor)).rejects.toMatchObject({ retryAfterMs: 9_000 });
      }
      expect(brief((await sync(cursor)).changes)).toEqual([`message inbox ${id}`]);
    });

    it('limits concurrent requests', async () => {
      const { cursor } = await all(null);
      for (let count = 0; count < 3; count++) gmail.mailbox.deliver(mail());
      await all(cursor);
      const gets = gmail.server.requests.filter(({ method }) => method === 'messages.get');
      expect(gets.every(({ query }) => query.get('format') === 'metadata')).toBe(true);
      expect(gets[0]?.query.getAll('metadataHeaders')).toContain('Message-ID');
    });
  });
});
