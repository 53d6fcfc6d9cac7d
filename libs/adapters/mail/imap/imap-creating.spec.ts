import { plainMail } from '../conformance/mail-samples';
import { type ImapMailbox } from './imap-mailbox';
import { ScriptedFolder } from './testing/scripted-folder';
import { type Asked, ScriptedImap } from './testing/scripted-imap';
import { plainMailbox } from './testing/scripted-mailbox';

describe('A folder created on an IMAP server', () => {
  let server: ScriptedImap;
  let mailbox: ImapMailbox;

  beforeEach(async () => {
    server = await ScriptedImap.start();
    server.capabilities = [...server.capabilities, 'NAMESPACE'];
    mailbox = plainMailbox(server.port);
  });
  afterEach(async () => {
    await mailbox.close();
    await server.stop();
  });

  const add = (path: string) => server.folders.set(path, new ScriptedFolder(path));
  /** Overrides the reply to the first of these commands, or to all of them. */
  const on = (command: string, answer: (asked: Asked) => void, times = Infinity): void => {
    let left = times;
    server.intercept = (asked) => {
      if (asked.command !== command || left-- <= 0) return false;
      answer(asked);
      return true;
    };
  };
  const refuse = (lastReply: string) => on('CREATE', ({ tag, connection }) => connection.say(`${tag} NO ${lastReply}`));

  it('is subscribed, so that all programs show it', async () => {
    expect(await mailbox.ensureFolder('Warmup')).toEqual({ id: 'Warmup', name: 'Warmup', role: null });
    expect(server.subscribed).toEqual(new Set(['Warmup']));
  });

  it.each([
    ['INBOX.', '.', 'INBOX.Warmup'],
    ['INBOX/', '/', 'INBOX/Warmup'],
    ['mail/', '/', 'mail/Warmup'],
  ])('is created in the owner’s namespace, %s, and stores messages there', async (prefix, separator, path) => {
    server.namespaces = `(("${prefix}" "${separator}")) NIL NIL`;
    const folder = await mailbox.ensureFolder('Warmup');
    expect(folder).toEqual({ id: path, name: 'Warmup', role: null });
    expect(await mailbox.ensureFolder('Warmup')).toEqual(folder);
    expect(server.asked).toContain(`CREATE ${path}`);
    expect(server.count('CREATE')).toBe(1);
    const { uid } = server.inbox.add(plainMail({ to: 'grace@scripted.test' }));
    expect(await mailbox.move({ folder: 'INBOX', id: `7:${uid}` }, folder.id)).toEqual({ folder: path, id: '7:1' });
    expect(server.folder(path).messages).toHaveLength(1);
  });

  it('is not an existing subfolder with that name', async () => {
    add('Clients/Warmup');
    expect((await mailbox.ensureFolder('Warmup')).id).toBe('Warmup');
    expect(server.count('CREATE')).toBe(1);
  });

  it.each([
    ['(("" "/")) NIL NIL', 'Clients/Acme'],
    ['(("" ".")) NIL NIL', 'Clients.Acme'],
  ])('has no name with two levels: with %s not %s', async (namespaces, name) => {
    server.namespaces = namespaces;
    await expect(mailbox.ensureFolder(name)).rejects.toMatchObject({ failure: 'permanent' });
    expect(server.count('CREATE')).toBe(0);
  });

  it('may have any name on a server with one level', async () => {
    server.namespaces = '(("" NIL)) NIL NIL';
    expect((await mailbox.ensureFolder('Clients/Acme')).id).toBe('Clients/Acme');
  });

  it('is the one that another client created meanwhile, regardless of the server’s answer', async () => {
    on('CREATE', ({ tag, connection }) => {
      add('Warmup');
      connection.say(`${tag} NO Mailbox exists.`);
    });
    expect(await mailbox.ensureFolder('Warmup')).toMatchObject({ id: 'Warmup' });
  });

  it('is the existing one in another case, on a server that ignores case', async () => {
    add('WarmUp');
    refuse('[ALREADYEXISTS] Mailbox already exists');
    expect(await mailbox.ensureFolder('Warmup')).toMatchObject({ id: 'WarmUp', name: 'WarmUp' });
  });

  it('differs from one in another case, on a server that respects case', async () => {
    add('WARMUP');
    expect(await mailbox.ensureFolder('Warmup')).toMatchObject({ id: 'Warmup' });
  });

  it.each([
    ['[NOPERM] Not in this mailbox', 'NOPERM', 'permanent'],
    ['[CANNOT] Invalid name', 'CANNOT', 'permanent'],
    ['Invalid mailbox name', null, 'permanent'],
    ['[UNAVAILABLE] The store is away', 'UNAVAILABLE', 'temporary'],
    ['Server is busy, try again later', null, 'temporary'],
    ['[SERVERBUG] Internal error', 'SERVERBUG', 'temporary'],
    ['[OVERQUOTA] No room for another folder', 'OVERQUOTA', 'temporary'],
  ])('is refused with the server’s reply: %s', async (lastReply, code, failure) => {
    refuse(lastReply);
    const expected = { failure, stage: 'request', lastReply: { code, command: 'CREATE', response: `NO ${lastReply}` } };
    await expect(mailbox.ensureFolder('Warmup')).rejects.toMatchObject(expected);
    expect(server.subscribed.size).toBe(0);
  });

  it('exists even when the server refuses the subscription', async () => {
    on('SUBSCRIBE', ({ tag, connection }) => connection.say(`${tag} NO Not here`));
    expect(await mailbox.ensureFolder('Warmup')).toMatchObject({ id: 'Warmup' });
  });

  it('exists even when the server does not list it yet', async () => {
    on('CREATE', ({ tag, connection }) => connection.say(`${tag} OK done`));
    expect(await mailbox.ensureFolder('Warmup')).toEqual({ id: 'Warmup', name: 'Warmup', role: null });
  });

  it('is created once and subscribed when the connection is lost after CREATE', async () => {
    await mailbox.listFolders();
    on('CREATE', ({ connection }) => (add('Warmup'), connection.socket.destroy()), 1);
    expect(await mailbox.ensureFolder('Warmup')).toMatchObject({ id: 'Warmup' });
    expect(server.count('CREATE')).toBe(1);
    expect(server.subscribed).toEqual(new Set(['Warmup']));
  });

  it('is created on another connection when the first was lost before', async () => {
    await mailbox.listFolders();
    on('CREATE', ({ connection }) => connection.socket.destroy(), 1);
    expect(await mailbox.ensureFolder('Warmup')).toMatchObject({ id: 'Warmup' });
    expect(server.folders.has('Warmup')).toBe(true);
  });

  it('is not subscribed again when it exists, because its owner may have hidden it', async () => {
    add('Warmup');
    await mailbox.ensureFolder('Warmup');
    expect(server.asked.join()).not.toMatch(/CREATE|SUBSCRIBE/);
  });

  it('is created again after its owner removed it', async () => {
    await mailbox.ensureFolder('Warmup');
    server.folders.delete('Warmup');
    await mailbox.ensureFolder('Warmup');
    expect(server.folders.has('Warmup')).toBe(true);
  });
});
