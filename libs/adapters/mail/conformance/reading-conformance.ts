import { buffer } from 'node:stream/consumers';
import { type MessageRef, type NewMessage } from '../port/changes';
import { type FolderRole } from '../port/folder';
import { BYTES, mailWithAttachments, newMessageId, plainMail } from './mail-samples';
import { type MailTraits, type MailTestEnvironment } from './mail-test-environment';

const LONG_AGO = new Date('2026-01-01T00:00:00Z');
const ALL: readonly FolderRole[] = ['inbox', 'junk', 'sent', 'drafts', 'trash', 'archive'];

export function describeReading(open: () => MailTestEnvironment, _traits: MailTraits): void {
  const find = async (messageId: string): Promise<NewMessage | undefined> => {
    const { changes } = await open().session.sync({ cursor: null, since: LONG_AGO, limit: 100, roles: ALL });
    return changes.find(
      (change): change is NewMessage => change.kind === 'message' && change.summary.messageId === messageId,
    );
  };
  const delivered = async (raw: (to: string, messageId: string) => Buffer): Promise<MessageRef> => {
    const messageId = newMessageId();
    await open().deliver(raw(open().address, messageId));
    const found = await find(messageId);
    if (!found) throw new Error('The message that was delivered is not there');
    return found.ref;
  };
  const plain = (to: string, messageId: string) => plainMail({ to, messageId });
  const folder = async (role: FolderRole): Promise<string> => {
    const found = (await open().session.listFolders()).find((candidate) => candidate.role === role);
    if (!found) throw new Error(`There is no folder for ${role}`);
    return found.id;
  };

  describe('reading', () => {
    it('fetches a message as it was received and leaves it unread', async () => {
      const messageId = newMessageId();
      const raw = mailWithAttachments(open().address, messageId);
      await open().deliver(raw);
      const { ref } = (await find(messageId)) as NewMessage;
      const fetched = await open().session.fetchRaw(ref, { maxBytes: 1_000_000 });
      expect(fetched.toString('latin1')).toContain(raw.toString('latin1').trimEnd());
      expect((await find(messageId))?.flags.seen).toBe(false);
    });

    it('refuses to fetch a message above the limit', async () => {
      const ref = await delivered(plain);
      await expect(open().session.fetchRaw(ref, { maxBytes: 20 })).rejects.toMatchObject({ failure: 'permanent' });
    });

    it('lists attachments and fetches one as a stream', async () => {
      const ref = await delivered(mailWithAttachments);
      const { session } = open();
      expect(await session.listAttachments(ref)).toMatchObject([
        { index: 0, name: 'data.bin', contentType: 'application/octet-stream' },
        { index: 1, name: 'Übersicht.csv', contentType: 'text/csv' },
      ]);
      const first = await session.fetchAttachment(ref, 0);
      expect(await buffer(first.content)).toEqual(BYTES);
      const second = await session.fetchAttachment(ref, 1);
      expect((await buffer(second.content)).toString('utf8').trimEnd()).toBe('name;Straße');
    });

    it('continues after an attachment that was not read to its end', async () => {
      const ref = await delivered(mailWithAttachments);
      const { content } = await open().session.fetchAttachment(ref, 0);
      content.destroy();
      expect(await open().session.listAttachments(ref)).toHaveLength(2);
    });

    it('reports a missing attachment', async () => {
      const ref = await delivered(plain);
      expect(await open().session.listAttachments(ref)).toEqual([]);
      await expect(open().session.fetchAttachment(ref, 0)).rejects.toMatchObject({ failure: 'permanent' });
    });

    it('reports that a message no longer exists', async () => {
      const messageId = newMessageId();
      await open().deliver(plain(open().address, messageId));
      const { ref } = (await find(messageId)) as NewMessage;
      await open().elsewhere(messageId, 'delete');
      const { session } = open();
      await expect(session.fetchRaw(ref, { maxBytes: 1_000_000 })).rejects.toMatchObject({ failure: 'permanent' });
    });
  });

  describe('changing', () => {
    it('marks a message read and unread', async () => {
      const messageId = newMessageId();
      await open().deliver(plain(open().address, messageId));
      const { ref } = (await find(messageId)) as NewMessage;
      await open().session.markRead(ref, true);
      expect((await find(messageId))?.flags.seen).toBe(true);
      await open().session.markRead(ref, false);
      expect((await find(messageId))?.flags.seen).toBe(false);
    });

    it('moves a message and returns its new reference', async () => {
      const messageId = newMessageId();
      await open().deliver(plain(open().address, messageId));
      const { ref } = (await find(messageId)) as NewMessage;
      const moved = await open().session.move(ref, await folder('junk'));
      const found = (await find(messageId)) as NewMessage;
      expect(found.role).toBe('junk');
      expect(found.ref.id).toBe(moved.id);
      expect((await open().session.fetchRaw(moved, { maxBytes: 1_000_000 })).toString()).toContain(messageId);
    });

    it('stores a message in a folder', async () => {
      const messageId = newMessageId();
      const raw = plainMail({ to: 'someone@elsewhere.test', from: open().address, messageId });
      const ref = await open().session.append(await folder('sent'), raw, { seen: true });
      expect((await open().session.fetchRaw(ref, { maxBytes: 1_000_000 })).toString()).toContain('Good morning.');
      const found = await find(messageId);
      expect(found?.role).toBe('sent');
      expect(found?.flags.seen).toBe(true);
    });

    it('lists the folders with their roles', async () => {
      const folders = await open().session.listFolders();
      const roles = folders.map(({ role }) => role);
      for (const role of ['inbox', 'junk', 'sent', 'drafts', 'trash'] as const) expect(roles).toContain(role);
      expect(new Set(folders.map(({ id }) => id)).size).toBe(folders.length);
    });

    it('fails all calls after it is closed', async () => {
      const { session } = open();
      await session.listFolders();
      await session.close();
      await expect(session.listFolders()).rejects.toMatchObject({ failure: 'temporary' });
    });
  });
}
