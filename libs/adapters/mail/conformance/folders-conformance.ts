import { type MailChange, type NewMessage } from '../port/changes';
import { type FolderRole } from '../port/folder';
import { newMessageId, plainMail } from './mail-samples';
import { type MailTestEnvironment } from './mail-test-environment';

const LONG_AGO = new Date('2026-01-01T00:00:00Z');
/** The folders that a sync reads by default. */
const ARRIVALS: ReadonlySet<FolderRole | null> = new Set(['inbox', 'promotions', 'junk'] as const);

export function describeFolders(open: () => MailTestEnvironment): void {
  const sync = (cursor: string | null) => open().session.sync({ cursor, since: LONG_AGO, limit: 100 });
  const delivered = async (role: FolderRole): Promise<{ first: NewMessage; cursor: string }> => {
    await open().deliver(plainMail({ to: open().address, messageId: newMessageId() }), role);
    const { changes, cursor } = await sync(null);
    return { first: changes[0] as NewMessage, cursor };
  };
  const news = (changes: readonly MailChange[]) =>
    changes.filter(({ kind, role }) => kind === 'message' || (kind !== 'gone' && ARRIVALS.has(role)));

  describe('a folder with a given name', () => {
    it.each(['Warmup', 'R&D (new)  "x" \\ *%', 'Grüße, 受信 🙂'])('is created when it is missing: %s', async (name) => {
      const { session } = open();
      const before = await session.listFolders();
      const made = await session.ensureFolder(name);
      expect(made).toMatchObject({ name, role: null });
      const after = await session.listFolders();
      expect(after).toHaveLength(before.length + 1);
      expect(after).toContainEqual(made);
    });

    it('returns the existing folder to every caller', async () => {
      const made = await open().session.ensureFolder('Warmup');
      const folders = await open().session.listFolders();
      expect(await open().session.ensureFolder('Warmup')).toEqual(made);
      expect(await open().anotherSession().ensureFolder('Warmup')).toEqual(made);
      expect(await open().session.listFolders()).toEqual(folders);
    });

    it('is created once for two concurrent callers', async () => {
      const sessions = [open().session, open().anotherSession(), open().anotherSession()];
      const made = await Promise.all(sessions.map((session) => session.ensureFolder('Warmup')));
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      const named = (await open().session.listFolders()).filter(({ name }) => name === 'Warmup');
      expect(named).toEqual([made[0]]);
    });

    it.each(['inbox', 'junk', 'sent'] as const)('is the %s when the name matches', async (role) => {
      const folder = (await open().session.listFolders()).find((candidate) => candidate.role === role);
      expect(await open().session.ensureFolder(folder?.name ?? '')).toEqual(folder);
    });

    it.each([
      ['is empty', ''],
      ['ends with a blank', 'Warmup '],
      ['breaks the line', 'Warmup\r\nx LOGOUT'],
      ['has no end', 'x'.repeat(300)],
    ])('is refused when that %s', async (_how, name) => {
      const before = await open().session.listFolders();
      await expect(open().session.ensureFolder(name)).rejects.toMatchObject({ failure: 'permanent' });
      expect(await open().session.listFolders()).toEqual(before);
    });

    it.each(['inbox', 'junk'] as const)(
      'receives messages of the %s, which are no new mail there, and returns them',
      async (role) => {
        const { first, cursor } = await delivered(role);
        const { session } = open();
        const folder = await session.ensureFolder('Warmup');
        const moved = await session.move(first.ref, folder.id);
        expect(moved.folder).toBe(folder.id);
        expect((await session.fetchRaw(moved, { maxBytes: 1_000_000 })).toString()).toContain(first.summary.messageId);
        const away = await sync(cursor);
        expect(away.changes.map(({ kind }) => kind)).toEqual([expect.stringMatching(/^(gone|moved)$/)]);
        expect(news(away.changes)).toEqual([]);
        expect(news((await sync(null)).changes)).toEqual([]);
        const inbox = (await session.listFolders()).find((candidate) => candidate.role === 'inbox');
        const back = await session.move(moved, inbox?.id ?? '');
        const { changes } = await sync(away.cursor);
        expect(changes).toMatchObject([{ kind: expect.stringMatching(/^(message|moved)$/), role: 'inbox', ref: back }]);
      },
    );

    it('receives a message before a sync has seen it, which then is no new mail of the inbox', async () => {
      const { cursor } = await sync(null);
      const { first } = await delivered('inbox');
      const { session } = open();
      await session.move(first.ref, (await session.ensureFolder('Warmup')).id);
      const { changes } = await sync(cursor);
      expect(changes.filter(({ role }) => ARRIVALS.has(role))).toEqual([]);
    });

    it('stores messages, which are no new mail', async () => {
      const { cursor } = await sync(null);
      const { session } = open();
      const folder = await session.ensureFolder('Warmup');
      const ref = await session.append(folder.id, plainMail({ to: open().address }));
      expect(ref.folder).toBe(folder.id);
      expect((await session.fetchRaw(ref, { maxBytes: 1_000_000 })).toString()).toContain('Good morning.');
      expect(news((await sync(cursor)).changes)).toEqual([]);
    });
  });
}
