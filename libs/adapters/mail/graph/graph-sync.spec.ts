import { newMessageId, plainMail } from '../conformance/mail-samples';
import { type MailChange, type SyncBatch, type SyncRequest } from '../port/changes';
import { errorReply } from './testing/graph-answers';
import { GraphTestTime } from './testing/graph-time';
import { type GraphTestEnvironment, openGraphTestEnvironment } from './testing/graph-test-environment';

const SINCE = new Date('2026-01-01T00:00:00Z');

describe('syncing with Microsoft Graph', () => {
  let environment: GraphTestEnvironment;
  beforeEach(async () => {
    environment = await openGraphTestEnvironment({ time: new GraphTestTime() });
  });
  afterEach(() => environment.close());

  const sync = (request: Partial<SyncRequest> = {}): Promise<SyncBatch> =>
    environment.session.sync({ cursor: null, since: SINCE, limit: 100, ...request });
  const syncAll = async (request: Partial<SyncRequest> = {}, between: () => Promise<void> = async () => undefined) => {
    const changes: MailChange[] = [];
    const restarted: string[] = [];
    let batch = await sync(request);
    for (;;) {
      expect(batch.changes.length).toBeLessThanOrEqual(request.limit ?? 100);
      changes.push(...batch.changes);
      restarted.push(...batch.restarted);
      if (!batch.more) return { changes, restarted, cursor: batch.cursor };
      await between();
      batch = await sync({ ...request, cursor: batch.cursor });
    }
  };
  const deliver = async (options: { folder?: string; receivedAt?: Date } = {}): Promise<string> => {
    const messageId = newMessageId();
    await environment.mailbox.store(plainMail({ to: environment.address, messageId }), options);
    return messageId;
  };
  const many = (count: number, options: { folder?: string; receivedAt?: Date } = {}) =>
    Promise.all(Array.from({ length: count }, () => deliver(options)));
  const ids = (changes: readonly MailChange[]) =>
    changes.map((change) => (change.kind === 'message' ? change.summary.messageId : change.kind));
  const byId = (messageId: string) => environment.mailbox.byMessageId(messageId);
  const rewritten = (cursor: string, change: (parsed: Record<string, unknown>) => void): string => {
    const parsed = JSON.parse(cursor) as Record<string, unknown>;
    change(parsed);
    return JSON.stringify(parsed);
  };

  describe('reading existing mail', () => {
    it.each([1, 2, 5, 7, 500])(
      'reports each message once and in order, %i at a time, over all folders',
      async (limit) => {
        const inbox = await many(7);
        const junk = await many(3, { folder: 'junkemail' });
        const { changes, cursor } = await syncAll({ limit });
        expect(ids(changes)).toEqual([...inbox, ...junk]);
        expect((await syncAll({ cursor, limit })).changes).toEqual([]);
      },
    );

    it('reports mail that arrives meanwhile once, and nothing twice', async () => {
      const expected = new Set(await many(6));
      let rounds = 0;
      const { changes, cursor } = await syncAll({ limit: 2 }, async () => {
        if (rounds++ < 5) expected.add(await deliver());
      });
      const later = await syncAll({ cursor });
      const all = ids([...changes, ...later.changes]);
      expect(all).toHaveLength(expected.size);
      expect(new Set(all)).toEqual(expected);
    });

    it('skips no message when earlier ones are removed', async () => {
      const all = await many(10);
      let gone = 0;
      const { changes } = await syncAll({ limit: 2 }, async () => {
        const next = all[gone++];
        if (next && gone <= 5) environment.mailbox.remove(byId(next));
      });
      expect(new Set(ids(changes).filter((id) => id !== 'gone'))).toEqual(new Set(all));
    });

    it('handles more messages of one second than a page contains', async () => {
      const receivedAt = new Date('2026-11-20T10:00:00Z');
      const flood = await many(1_150, { receivedAt });
      const after = await deliver({ receivedAt: new Date('2026-11-20T10:00:01Z') });
      const { changes } = await syncAll({ limit: 200 });
      expect(ids(changes)).toEqual([...flood, after]);
    });

    it('returns after a bounded number of pages, and continues there', async () => {
      await many(120);
      // The vendor returns small pages: the limit of pages, not of changes, ends the call.
      for (let page = 0; page < 45; page++) {
        const body = {
          value: [],
          '@odata.nextLink': `${environment.server.url}/me/mailFolders('x')/messages/delta?$skiptoken=x`,
        };
        environment.mailbox.faults.push({ on: /delta/, does: { status: 200, body } });
      }
      const first = await sync();
      expect(first).toMatchObject({ changes: [], more: true });
      expect(environment.mailbox.requests.length).toBeLessThan(60);
    });
  });

  describe('after a crash', () => {
    it('loses and repeats nothing, whichever batch was not stored', async () => {
      const expected = await many(9);
      const kept: MailChange[] = [];
      let cursor: string | null = null;
      for (let more = true; more;) {
        const lost = await sync({ cursor, limit: 4 });
        const again = await sync({ cursor, limit: 4 });
        expect(again.changes).toEqual(lost.changes);
        kept.push(...again.changes);
        ({ cursor, more } = again);
        if (kept.length < 9) expected.push(await deliver());
      }
      expect(new Set(ids(kept))).toEqual(new Set(expected));
      expect(kept).toHaveLength(expected.length);
    });

    it('finds all changes since an old cursor', async () => {
      const [read = '', deleted = '', moved = ''] = await many(3);
      const { cursor } = await syncAll();
      const fresh = await many(25);
      environment.mailbox.update(byId(read), { isRead: true });
      environment.mailbox.remove(byId(deleted));
      environment.mailbox.move(byId(moved), 'archive');
      await syncAll({ cursor });
      const { changes } = await syncAll({ cursor, limit: 6 });
      expect(ids(changes).filter((id) => fresh.includes(String(id)))).toEqual(fresh);
      expect(ids(changes).filter((id) => !fresh.includes(String(id)))).toEqual(
        expect.arrayContaining(['flags', 'gone', 'moved']),
      );
      expect(changes).toHaveLength(fresh.length + 3);
    });
  });

  describe('reporting changes of a message', () => {
    it('requests the flags that an entry about the read state omits', async () => {
      const id = await deliver();
      environment.mailbox.update(byId(id), { isFlagged: true });
      const { cursor } = await syncAll();
      environment.mailbox.update(byId(id), { isRead: true });
      const { changes } = await syncAll({ cursor });
      expect(changes).toMatchObject([
        { kind: 'flags', role: 'inbox', flags: { seen: true, flagged: true, answered: false } },
      ]);
    });

    it('reports that a message was answered', async () => {
      const id = await deliver();
      const { cursor } = await syncAll();
      environment.mailbox.update(byId(id), { isAnswered: true });
      expect((await syncAll({ cursor })).changes).toMatchObject([{ kind: 'flags', flags: { answered: true } }]);
    });

    it('ignores irrelevant changes and repeated entries', async () => {
      const id = await deliver();
      const { cursor } = await syncAll();
      environment.mailbox.update(byId(id), { isFlagged: false });
      const { changes, cursor: later } = await syncAll({ cursor });
      expect(changes).toEqual([]);
      environment.mailbox.update(byId(id), { isRead: true });
      expect((await syncAll({ cursor: later })).changes).toHaveLength(1);
      expect((await syncAll({ cursor: later })).changes).toHaveLength(1);
    });

    it.each([
      ['inbox', 'junkemail', 'junk'],
      ['junkemail', 'inbox', 'inbox'],
    ] as const)('reports a move from %s to %s once', async (from, to, role) => {
      const id = await deliver({ folder: from });
      const { cursor } = await syncAll();
      environment.mailbox.move(byId(id), to);
      const { changes, cursor: later } = await syncAll({ cursor });
      expect(changes).toEqual([
        { kind: 'moved', role, ref: { folder: environment.mailbox.folder(to).id, id: byId(id).id } },
      ]);
      expect((await syncAll({ cursor: later })).changes).toEqual([]);
    });

    it('reports a move and a change of flags together', async () => {
      const id = await deliver();
      const { cursor } = await syncAll();
      environment.mailbox.update(byId(id), { isRead: true });
      environment.mailbox.move(byId(id), 'junkemail');
      const { changes } = await syncAll({ cursor });
      expect(changes.map(({ kind }) => kind)).toEqual(['moved', 'flags']);
    });

    it('follows a message to unwatched folders and back', async () => {
      const own = environment.mailbox.addFolder('Customers');
      const id = await deliver();
      const first = await syncAll();
      environment.mailbox.move(byId(id), own.id);
      const away = await syncAll({ cursor: first.cursor });
      expect(away.changes).toMatchObject([{ kind: 'moved', role: null, ref: { folder: own.id } }]);
      environment.mailbox.move(byId(id), 'deleteditems');
      const unseen = await syncAll({ cursor: away.cursor });
      expect(unseen.changes).toEqual([]);
      environment.mailbox.move(byId(id), 'inbox');
      expect((await syncAll({ cursor: unseen.cursor })).changes).toMatchObject([{ kind: 'moved', role: 'inbox' }]);
    });

    it('keeps a message that left and returned, though Graph reports it as removed', async () => {
      const id = await deliver();
      const { cursor } = await syncAll();
      environment.mailbox.move(byId(id), 'archive');
      environment.mailbox.move(byId(id), 'inbox');
      expect((await syncAll({ cursor })).changes).toEqual([]);
    });

    it('reports mail moved in from an unwatched folder', async () => {
      const id = await deliver({ folder: 'archive' });
      const { cursor } = await syncAll();
      environment.mailbox.move(byId(id), 'inbox');
      expect(ids((await syncAll({ cursor })).changes)).toEqual([id]);
    });

    it('reports a changed message again when the index lacks it', async () => {
      const id = await deliver();
      const { cursor } = await syncAll();
      const forgetful = rewritten(cursor, (parsed) => (parsed['known'] = ''));
      environment.mailbox.update(byId(id), { isRead: true });
      const { changes } = await syncAll({ cursor: forgetful });
      expect(changes).toMatchObject([{ kind: 'message', flags: { seen: true }, summary: { messageId: id } }]);
    });

    it('does not report a changed message from before the requested time', async () => {
      const id = await deliver({ receivedAt: new Date('2025-12-24T00:00:00Z') });
      const older = byId(id) as { createdAt: Date };
      older.createdAt = new Date('2025-12-24T00:00:00Z');
      const { changes, cursor } = await syncAll();
      expect(changes).toEqual([]);
      environment.mailbox.update(byId(id), { isRead: true });
      expect((await syncAll({ cursor })).changes).toMatchObject([{ kind: 'flags', flags: { seen: true } }]);
    });
  });

  describe('with faults', () => {
    it('skips an entry without properties', async () => {
      const good = await deliver();
      const { cursor } = await syncAll();
      const next = await deliver();
      const strange = { id: 'AAAstrange=', receivedDateTime: 'x' };
      const link = {
        '@odata.deltaLink': `${environment.server.url}/me/mailFolders('i')/messages/delta?$deltatoken=lost`,
      };
      environment.mailbox.faults.push(
        { on: /inbox|delta/, does: { status: 200, body: { value: [strange, {}, null, 'x', { id: 7 }], ...link } } },
        { on: /AAAstrange/, times: 9, does: errorReply(500, 'ErrorCorruptData', 'Corrupt') },
      );
      const { changes } = await sync({ cursor, roles: ['inbox'] });
      expect(changes).toMatchObject([{ kind: 'unreadable', role: 'inbox', ref: { id: 'AAAstrange=' } }]);
      expect([good, next]).toHaveLength(2);
    });

    it('does not move the cursor when the server fails in the middle', async () => {
      const { cursor } = await syncAll();
      const expected = await many(5);
      environment.mailbox.faults.push({
        on: /delta/,
        after: 1,
        times: 99,
        does: errorReply(503, 'ServiceUnavailable', 'Busy'),
      });
      await expect(sync({ cursor })).rejects.toMatchObject({ failure: 'temporary' });
      environment.mailbox.faults.splice(0);
      expect(ids((await syncAll({ cursor })).changes)).toEqual(expected);
    });

    it('does not advance past a message that an unavailable server cannot return', async () => {
      const id = await deliver();
      const { cursor } = await syncAll();
      environment.mailbox.update(byId(id), { isRead: true });
      environment.mailbox.faults.push({
        on: /^GET \/me\/messages\//,
        times: 99,
        does: errorReply(503, 'ServiceUnavailable', 'Busy'),
      });
      await expect(sync({ cursor })).rejects.toMatchObject({ failure: 'temporary' });
    });

    it('restarts once when the state of a page is lost', async () => {
      const expected = await many(6);
      const { cursor } = await syncAll({ limit: 4 });
      const later = await many(6);
      const half = await sync({ cursor, limit: 4 });
      expect(half.more).toBe(true);
      environment.mailbox.forgetHistory();
      const { changes, restarted } = await syncAll({ cursor: half.cursor, limit: 4 });
      expect(restarted).toContain(environment.mailbox.folder('inbox').id);
      expect(new Set(ids(changes))).toEqual(new Set([...expected, ...later]));
    });

    it('fails after repeated restarts', async () => {
      const { cursor } = await syncAll();
      environment.mailbox.faults.push({ on: /token=/, times: 9, does: errorReply(410, 'SyncStateNotFound', 'Gone') });
      await expect(sync({ cursor })).rejects.toMatchObject({ failure: 'temporary' });
    });

    it.each([
      ['of another driver', () => '{"epoch":1}'],
      ['that leads elsewhere', (cursor: string) => cursor.replaceAll('/me/mailfolders', '//evil.test/me/mailfolders')],
      ['that is cut', (cursor: string) => cursor.slice(0, -5)],
    ])('reads everything again with a cursor %s', async (_what, spoil) => {
      const expected = await many(2);
      const { cursor } = await syncAll();
      const { changes, restarted } = await syncAll({ cursor: spoil(cursor) });
      expect(ids(changes)).toEqual(expected);
      expect(restarted).toEqual([environment.mailbox.folder('inbox').id, environment.mailbox.folder('junkemail').id]);
    });

    it('ignores a folder that the mailbox lacks', async () => {
      const at = environment.mailbox.folders.findIndex(({ wellKnown }) => wellKnown === 'archive');
      environment.mailbox.folders.splice(at, 1);
      const id = await deliver();
      expect(ids((await syncAll({ roles: ['archive', 'promotions', 'all', 'inbox'] })).changes)).toEqual([id]);
    });

    it('handles hostile headers', async () => {
      const hostile = [
        `From: "a@b.test, \\"<evil@x.test>" <real@elsewhere.test>`,
        `To: undisclosed-recipients:;, <${environment.address}>`,
        'Subject: =?utf-8?B?SGVsbG8NCkJjYzogZXZlcnlvbmVAeC50ZXN0?=',
        "Message-ID: <quote'or'1'eq'1@x.test>",
        `References: ${'<r@x.test> '.repeat(300)}`,
        'Date: Fri, 31 Feb 2026 25:61:00 +9999',
        '',
        'x',
      ].join('\r\n');
      await environment.mailbox.store(Buffer.from(hostile));
      const { changes } = await syncAll();
      expect(changes).toMatchObject([
        {
          kind: 'message',
          summary: {
            messageId: "<quote'or'1'eq'1@x.test>",
            from: { address: 'real@elsewhere.test' },
            subject: 'Hello Bcc: everyone@x.test',
          },
        },
      ]);
    });
  });

  it('requests no more entries than fit into the batch', async () => {
    await many(3);
    await syncAll({ limit: 2 });
    const { cursor } = await syncAll();
    environment.mailbox.requests.splice(0);
    await many(5);
    await syncAll({ cursor, limit: 3 });
    const sizes = environment.mailbox.requests.flatMap(({ prefer }) => /maxpagesize=(\d+)/.exec(prefer)?.[1] ?? []);
    expect(Math.max(...sizes.map(Number))).toBe(3);
  });

  it('stops when it is aborted', async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(sync({ signal: stop.signal })).rejects.toMatchObject({ failure: 'temporary' });
  });
});
