import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { rootCertificates } from 'node:tls';
import { inspect } from 'node:util';
import { OutboundAddressService } from '@platform/outbound';
import { mailSandbox } from '@testing';
import { newMessageId, plainMail } from '../conformance/mail-samples';
import { type MailChange, type NewMessage } from '../port/changes';
import { type ImapMailbox } from './imap-mailbox';
import {
  asOwner,
  deliver,
  deliverMany,
  newAddress,
  getPassword,
  sandboxMailbox,
  TOKEN,
  withMessage,
} from './testing/sandbox-imap';

const SINCE = new Date('2026-01-01T00:00:00Z');
/** A certificate that has signed none of these. */
const OTHER_AUTHORITY = rootCertificates[0] as string;
const NEVER = new Date('2100-01-01T00:00:00Z');

describe('A mailbox on Dovecot', () => {
  const opened: ImapMailbox[] = [];
  const open: typeof sandboxMailbox = (...args) => {
    const mailbox = sandboxMailbox(...args);
    opened.push(mailbox);
    return mailbox;
  };
  afterEach(async () => {
    for (const mailbox of opened.splice(0)) await mailbox.close();
  });

  const syncAll = async (mailbox: ImapMailbox, cursor: string | null, limit = 500, since = SINCE) => {
    const changes: MailChange[] = [];
    let batch: Awaited<ReturnType<ImapMailbox['sync']>> | undefined;
    do {
      batch = await mailbox.sync({ cursor: batch?.cursor ?? cursor, since, limit });
      changes.push(...batch.changes);
    } while (batch.more);
    return { changes, cursor: batch.cursor };
  };
  const uids = (changes: readonly MailChange[]) => changes.map(({ ref }) => Number(ref.id.split(':')[1]));

  it('reports mail that the server files into spam or promotions with the role of that folder', async () => {
    const user = newAddress();
    for (const folder of ['INBOX', 'Junk', 'Promotions']) await deliver(user, plainMail({ to: user }), folder);
    const { changes } = await syncAll(open(user), null);
    expect(Object.fromEntries(changes.map(({ ref, role }) => [ref.folder, role]))).toEqual({
      INBOX: 'inbox',
      Junk: 'junk',
      Promotions: 'promotions',
    });
  });

  it('shows a created folder to all programs, and refuses invalid names', async () => {
    const user = newAddress();
    const mailbox = open(user);
    const name = 'Grüße & "Co" (受信)';
    const { id } = await mailbox.ensureFolder(name);
    const listed = await asOwner(user, (client) => client.list());
    expect(listed.find(({ path }) => path === id)).toMatchObject({ name, parentPath: '', subscribed: true });
    await expect(mailbox.ensureFolder('受'.repeat(120))).rejects.toMatchObject({
      failure: 'permanent',
      lastReply: { code: 'CANNOT', command: 'CREATE', response: expect.stringContaining('NO [CANNOT]') },
    });
    expect(await mailbox.listFolders()).toHaveLength(listed.length);
  });

  describe('is connected', () => {
    it('with TLS from the first byte, and with STARTTLS', async () => {
      const { imap } = mailSandbox();
      expect(await open(newAddress()).verify()).toEqual({ ok: true });
      expect(await open(newAddress(), { port: imap.port, secure: false }).verify()).toEqual({ ok: true });
    });

    it('with an access token, which is renewed once when it is refused', async () => {
      const user = newAddress();
      const given: (string | undefined)[] = [];
      const login = (refused?: string) => {
        given.push(refused);
        const accessToken = refused === undefined ? 'expired' : TOKEN;
        return Promise.resolve({ method: 'xoauth2', user, accessToken } as const);
      };
      expect(await open(user, { login }).verify()).toEqual({ ok: true });
      expect(given).toEqual([undefined, 'expired']);
    });

    it('not with a wrong password, which no error shows', async () => {
      const user = newAddress();
      const secret = `canary-${randomBytes(8).toString('hex')}`;
      const mailbox = open(user, { login: getPassword(user, secret) });
      const error = await mailbox.listFolders().catch((failed: unknown) => failed);
      expect(error).toMatchObject({
        failure: 'needs-human',
        stage: 'login',
        lastReply: { code: 'AUTHENTICATIONFAILED' },
      });
      const seen = inspect([error, mailbox], { depth: 20, showHidden: true });
      expect(seen).not.toContain(secret);
      expect(seen).not.toContain(Buffer.from(`\0${user}\0${secret}`).toString('base64'));
    });

    it.each([true, false])('not under a name outside its certificate (implicit TLS: %s)', async (secure) => {
      const { imap } = mailSandbox();
      const guard = new OutboundAddressService({ allowPrivate: true, lookup: () => Promise.resolve(['127.0.0.1']) });
      const server = { host: 'imap.elsewhere.example', port: secure ? imap.tlsPort : imap.port, secure };
      let asked = 0;
      const login = () => {
        asked += 1;
        return Promise.resolve({ method: 'password', user: 'x', password: 'y' } as const);
      };
      const check = await open(newAddress(), { ...server, login }, { guard }).verify();
      expect(check).toMatchObject({ ok: false, failure: 'temporary', stage: 'tls' });
      expect(asked).toBe(1);
    });

    it('not with a certificate of an untrusted authority', async () => {
      const check = await open(newAddress(), {}, { ca: OTHER_AUTHORITY }).verify();
      expect(check).toMatchObject({ ok: false, failure: 'temporary', stage: 'tls' });
    });

    it('not when an SMTP server answers, whose greeting is reported', async () => {
      const check = await open(newAddress(), { port: mailSandbox().smtp.port, secure: false }).verify();
      expect(check).toMatchObject({
        ok: false,
        stage: 'greeting',
        lastReply: { response: expect.stringMatching(/^220 /) },
      });
    });
  });

  it('with 50 000 messages is followed without reading them, and read from the start in batches', async () => {
    const address = newAddress();
    await deliverMany(address, 50_000);
    const mailbox = open(address);
    const { cursor, changes } = await syncAll(mailbox, null, 500, NEVER);
    expect(changes).toEqual([]);
    const messageId = newMessageId();
    await deliver(address, plainMail({ to: address, messageId }));
    const later = await syncAll(mailbox, cursor, 500, NEVER);
    expect(later.changes).toMatchObject([{ kind: 'message', ref: { id: expect.stringMatching(/:50001$/) } }]);
    let next: string | null = null;
    for (let batch = 0; batch < 4; batch++) {
      const read = await mailbox.sync({ cursor: next, since: SINCE, limit: 500 });
      expect(uids(read.changes)).toEqual(Array.from({ length: 500 }, (_, index) => batch * 500 + index + 1));
      expect(read.more).toBe(true);
      next = read.cursor;
    }
  });

  describe('that other programs use too', () => {
    it('reports flags and removals in batches, each once, though all changed at the same time', async () => {
      const address = newAddress();
      await deliverMany(address, 40);
      const mailbox = open(address);
      const { cursor } = await syncAll(mailbox, null);
      await asOwner(address, async (client) => {
        await client.mailboxOpen('INBOX');
        await client.messageFlagsAdd('1:30', ['\\Seen'], { uid: true });
        await client.messageDelete('11:20', { uid: true });
      });
      const first = await mailbox.sync({ cursor, since: SINCE, limit: 7 });
      expect(first.changes).toHaveLength(7);
      await asOwner(address, async (client) => {
        await client.mailboxOpen('INBOX');
        await client.messageFlagsAdd('2', ['\\Flagged'], { uid: true });
      });
      const rest = await syncAll(mailbox, first.cursor, 7);
      const all = [...first.changes, ...rest.changes];
      expect(uids(all.slice(0, 30))).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
      expect(all.slice(0, 30).map(({ kind }) => kind)).toEqual(
        Array.from({ length: 30 }, (_, index) => (index >= 10 && index < 20 ? 'gone' : 'flags')),
      );
      const again = await syncAll(mailbox, rest.cursor, 7);
      const behind = [...all.slice(30), ...again.changes];
      expect(behind).toMatchObject([{ kind: 'flags', flags: { seen: true, flagged: true } }]);
      expect(uids(behind)).toEqual([2]);
    });

    it('reports nothing about messages from before the start time', async () => {
      const address = newAddress();
      await deliverMany(address, 5);
      const mailbox = open(address);
      const { cursor } = await syncAll(mailbox, null, 500, NEVER);
      await asOwner(address, async (client) => {
        await client.mailboxOpen('INBOX');
        await client.messageFlagsAdd('1:3', ['\\Seen'], { uid: true });
        await client.messageDelete('4', { uid: true });
      });
      expect((await syncAll(mailbox, cursor)).changes).toEqual([]);
    });

    it('recognises a message that was moved away and back', async () => {
      const address = newAddress();
      const messageId = newMessageId();
      await deliver(address, plainMail({ to: address, messageId }));
      const mailbox = open(address);
      const first = await syncAll(mailbox, null);
      await withMessage(address, messageId, (client, uid) => client.messageMove(uid, 'Archive', { uid: true }));
      await withMessage(address, messageId, (client, uid) => client.messageMove(uid, 'INBOX', { uid: true }));
      const { changes } = await syncAll(mailbox, first.cursor);
      expect(changes.map(({ kind }) => kind).sort()).toEqual(['gone', 'message']);
      const back = changes.find(({ kind }) => kind === 'message') as NewMessage;
      expect(back.fingerprint).toBe((first.changes[0] as NewMessage).fingerprint);
    });
  });

  it('is read for any delivered mail', async () => {
    const address = newAddress();
    const broken = [
      'no header at all',
      '\0\0\0',
      'Subject: \0zero\0\r\nFrom: a\0b@c.test\r\n\r\n\0body',
      `Subject: ${'long '.repeat(40_000)}\r\n\r\nx`,
      `To: ${Array.from({ length: 20_000 }, (_, n) => `p${n}@lists.test`).join(', ')}\r\n\r\nx`,
      'Subject: =?utf-8?B?////?= =?nonsense?Q?=ff?=\r\nFrom: =?utf-7?Q?+AGE-?= <\r\n\r\n',
      'Content-Type: text/plain; charset="\\"; name*=x\'\'%zz\r\nContent-Transfer-Encoding: base64\r\n\r\n====',
      layersOf(15),
      'From: a\r\n b\r\n\tc\r\nFrom: d@e.test\r\nMessage-ID: <x y z>\r\n\r\n',
      '\r\n\r\n',
    ];
    for (const raw of broken) await deliver(address, Buffer.from(raw, 'latin1'));
    const mailbox = open(address);
    const { changes, cursor } = await syncAll(mailbox, null, 3);
    expect(changes).toHaveLength(broken.length);
    for (const { kind, ref } of changes) {
      expect(kind).toBe('message');
      for (const { index } of await mailbox.listAttachments(ref)) {
        await buffer((await mailbox.fetchAttachment(ref, index)).content);
      }
      expect((await mailbox.fetchRaw(ref, { maxBytes: 1_000_000 })).length).toBeGreaterThan(0);
    }
    expect((await syncAll(mailbox, cursor)).changes).toEqual([]);
  });

  it('reports a too deeply nested message as unreadable, and returns its bytes as received', async () => {
    const address = newAddress();
    await deliver(address, Buffer.from(layersOf(80)));
    const mailbox = open(address);
    const { changes } = await syncAll(mailbox, null);
    const { ref } = changes[0] as NewMessage;
    await expect(mailbox.listAttachments(ref)).rejects.toMatchObject({ failure: 'permanent' });
    expect((await mailbox.fetchRaw(ref, { maxBytes: 1_000_000 })).length).toBeGreaterThan(0);
  });

  it('streams large attachments while other tasks run', async () => {
    const address = newAddress();
    const content = randomBytes(1_500_000);
    const lines = content.toString('base64').match(/.{1,76}/g) ?? [];
    const head = [
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: application/pdf; name="=?utf-8?Q?=C3=9Cber?= =?utf-8?Q?sicht=2Epdf?="',
      'Content-Transfer-Encoding: base64',
      '',
      ...lines,
      '--b',
      'Content-Type: application/x-thing',
      "Content-Disposition: attachment; filename*0*=utf-8''%C3%9Cber; filename*1=sicht.bin",
      'Content-Transfer-Encoding: base64',
      '',
      'AAECAw==',
      '--b--',
      '',
    ];
    await deliver(address, Buffer.from(head.join('\r\n')));
    const mailbox = open(address);
    const { changes } = await syncAll(mailbox, null);
    const { ref } = changes[0] as NewMessage;
    const attachments = await mailbox.listAttachments(ref);
    expect(attachments.map(({ name }) => name)).toEqual(['Übersicht.pdf', 'Übersicht.bin']);
    expect(Math.abs((attachments[0]?.size ?? 0) - content.length)).toBeLessThan(60);
    const { content: stream } = await mailbox.fetchAttachment(ref, 0);
    const chunks: Buffer[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer);
      await mailbox.listFolders();
    }
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
  });

  it('supports folders with any name', async () => {
    const address = newAddress();
    const name = 'Entwürfe & "Co" 日本';
    await asOwner(address, (client) => client.mailboxCreate(name));
    const mailbox = open(address);
    const folders = await mailbox.listFolders();
    expect(folders.filter((folder) => folder.role === null)).toEqual([{ id: name, name, role: null }]);
    const stored = await mailbox.append('INBOX', plainMail({ to: address }));
    const moved = await mailbox.move(stored, name);
    expect(moved.folder).toBe(name);
    expect((await mailbox.fetchRaw(moved, { maxBytes: 10_000 })).toString()).toContain('Good morning.');
  });

  it('finds messages sent from it', async () => {
    const address = newAddress();
    const messageId = newMessageId();
    await deliver(address, plainMail({ to: 'a@b.test', messageId }), 'Sent');
    const mailbox = open(address);
    expect((await mailbox.findSent(messageId)).state).toBe('sent');
    expect((await mailbox.findSent(messageId.slice(0, -2))).state).toBe('unknown');
  });
});

function layersOf(depth: number): string {
  const layer = (n: number) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`;
  return Array.from({ length: depth }, (_, n) => layer(n)).join('');
}
