import { type MailChange, type NewMessage, type SyncBatch } from '../port/changes';
import { newMessageId, plainMail } from './mail-samples';
import { type MailTraits, type MailTestEnvironment } from './mail-test-environment';

/** A time before all mail of the suite. */
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

interface Synced {
  changes: MailChange[];
  cursor: string;
  restarted: string[];
}

export function describeSyncing(open: () => MailTestEnvironment, traits: MailTraits): void {
  const syncAll = async (cursor: string | null, limit = 100): Promise<Synced> => {
    const changes: MailChange[] = [];
    const restarted: string[] = [];
    let batch: SyncBatch | undefined;
    do {
      batch = await open().session.sync({ cursor: batch?.cursor ?? cursor, since: LONG_AGO, limit });
      expect(batch.changes.length).toBeLessThanOrEqual(limit);
      changes.push(...batch.changes);
      restarted.push(...batch.restarted);
    } while (batch.more);
    return { changes, cursor: batch.cursor, restarted };
  };
  const deliver = async (messageId = newMessageId(), subject = 'Hello'): Promise<string> => {
    await open().deliver(plainMail({ to: open().address, messageId, subject }));
    return messageId;
  };

  describe('syncing', () => {
    it('finds nothing in an empty mailbox and returns a cursor', async () => {
      const { changes, cursor } = await syncAll(null);
      expect(changes).toEqual([]);
      expect(cursor).not.toBe('');
    });

    it('reports a new message with the data for a list', async () => {
      const { cursor } = await syncAll(null);
      const messageId = await deliver(newMessageId(), 'About =?utf-8?Q?gr=C3=BCne?= figures');
      const { changes } = await syncAll(cursor);
      expect(changes).toHaveLength(1);
      expect(changes[0]).toMatchObject({
        kind: 'message',
        role: 'inbox',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        size: expect.any(Number),
        flags: { seen: false, answered: false, flagged: false, draft: false },
        summary: {
          messageId,
          inReplyTo: '<earlier@conformance.test>',
          references: ['<first@conformance.test>', '<earlier@conformance.test>'],
          from: { name: 'Ada Lovelace', address: 'ada@elsewhere.test' },
          to: [{ address: open().address }],
          subject: 'About grüne figures',
          date: new Date('2026-11-20T10:00:00Z'),
        },
      });
    });

    it('reports each message once, oldest first, with any batch size', async () => {
      const ids: string[] = [];
      for (let count = 0; count < 7; count++) ids.push(await deliver());
      const first = await syncAll(null, 3);
      expect(messageIds(first)).toEqual(ids);
      const later = [await deliver(), await deliver()];
      const second = await syncAll(first.cursor, 1);
      expect(messageIds(second)).toEqual(later);
      expect(messageIds(await syncAll(second.cursor))).toEqual([]);
    });

    it('reports the same changes again when the cursor was not stored, and loses nothing', async () => {
      const { cursor } = await syncAll(null);
      const ids = [await deliver(), await deliver()];
      expect(messageIds(await syncAll(cursor))).toEqual(ids);
      expect(messageIds(await syncAll(cursor))).toEqual(ids);
    });

    it('does not report mail from before the given start time', async () => {
      await deliver();
      const tomorrow = new Date(Date.now() + 2 * 86_400_000);
      const batch = await open().session.sync({ cursor: null, since: tomorrow, limit: 100 });
      expect(batch.changes).toEqual([]);
      const messageId = await deliver();
      expect(messageIds(await syncAll(batch.cursor))).toEqual([messageId]);
    });

    it('finds mail in the junk folder', async () => {
      const { cursor } = await syncAll(null);
      await open().deliver(plainMail({ to: open().address }), 'junk');
      const { changes } = await syncAll(cursor);
      expect(changes).toMatchObject([{ kind: 'message', role: 'junk' }]);
    });

    it('ignores folders that are not requested', async () => {
      const { cursor } = await syncAll(null);
      await open().deliver(plainMail({ to: open().address }), 'sent');
      expect(messageIds(await syncAll(cursor))).toEqual([]);
    });

    it('reports that another program read a message', async () => {
      const messageId = await deliver();
      const { cursor } = await syncAll(null);
      await open().elsewhere(messageId, 'read');
      const { changes } = await syncAll(cursor);
      expect(changes).toMatchObject([{ kind: 'flags', flags: { seen: true } }]);
    });

    it('reports the new folder of a moved message, and recognises it', async () => {
      const messageId = await deliver();
      const first = await syncAll(null);
      await open().elsewhere(messageId, 'move-to-junk');
      const { changes } = await syncAll(first.cursor);
      const arrival = changes.find(({ kind, role }) => role === 'junk' && (kind === 'message' || kind === 'moved'));
      expect(arrival?.kind).toBe(traits.keepsIdOnMove ? 'moved' : 'message');
      const [known] = first.changes as NewMessage[];
      if (arrival?.kind === 'message') expect(arrival.fingerprint).toBe(known?.fingerprint);
      else expect(arrival?.ref.id).toBe(known?.ref.id);
    });

    it('reports that another program deleted a message', async () => {
      const messageId = await deliver();
      const first = await syncAll(null);
      await open().elsewhere(messageId, 'delete');
      const { changes } = await syncAll(first.cursor);
      expect(changes.map(({ kind }) => kind)).toEqual(['gone']);
      expect(changes[0]?.ref.id).toBe(first.changes[0]?.ref.id);
    });

    it('restarts when the server has lost its history, reports it, and loses nothing', async () => {
      const before = await deliver();
      const first = await syncAll(null);
      const unseen = await deliver();
      await open().forgetHistory();
      const second = await syncAll(first.cursor);
      expect(second.restarted).not.toEqual([]);
      expect(new Set(messageIds(second))).toEqual(new Set([before, unseen]));
      expect(messageIds(await syncAll(second.cursor))).toEqual([]);
    });

    it('gives equal messages one fingerprint and different messages different ones', async () => {
      const twice = plainMail({ to: open().address, messageId: newMessageId() });
      await open().deliver(twice);
      await open().deliver(twice);
      await deliver();
      const { changes } = await syncAll(null);
      expect(changes).toHaveLength(3);
      expect(new Set((changes as NewMessage[]).map(({ fingerprint }) => fingerprint)).size).toBe(2);
    });

    it('survives a broken message', async () => {
      await open().deliver(
        Buffer.from(
          'From: \xff\xfe <<<>>\r\nContent-Type: multipart/mixed; boundary=\r\nDate: yesterday\r\n\r\n--\r\n',
          'latin1',
        ),
      );
      const messageId = await deliver();
      const { changes } = await syncAll(null);
      expect(changes).toHaveLength(2);
      expect(messageIds({ changes })).toContain(messageId);
    });

    it('notices a message during a wait and between two waits', async () => {
      await syncAll(null);
      const signal = new AbortController().signal;
      const waiting = open().session.waitForChange({ atMostMs: 20_000, signal });
      await deliver();
      expect(await waiting).toBe(true);
      await syncAll(null);
      await deliver();
      expect(await open().session.waitForChange({ atMostMs: 20_000, signal })).toBe(true);
    });

    it('stops waiting when it is aborted', async () => {
      await syncAll(null);
      const stop = new AbortController();
      const waiting = open().session.waitForChange({ atMostMs: 20_000, signal: stop.signal });
      stop.abort();
      expect(await waiting).toBe(false);
    });

    it('continues after lost connections', async () => {
      const first = await syncAll(null);
      await open().breakConnections();
      const messageId = await deliver();
      const again = await syncAll(first.cursor).catch(() => syncAll(first.cursor));
      expect(messageIds(again)).toEqual([messageId]);
    });
  });
}

function messageIds({ changes }: Pick<Synced, 'changes'>): (string | null)[] {
  return changes.flatMap((change) => (change.kind === 'message' ? [change.summary.messageId] : []));
}
