import { plainMail } from '../conformance/mail-samples';
import { type MessageRef } from '../port/changes';
import { type ImapMailbox } from './imap-mailbox';
import { type Asked, ScriptedImap } from './testing/scripted-imap';
import { plainMailbox } from './testing/scripted-mailbox';

const MAIL = plainMail({ to: 'grace@scripted.test', messageId: '<one@scripted.test>' });

describe('A mailbox on a server that lacks or breaks something', () => {
  let server: ScriptedImap;
  let mailbox: ImapMailbox;
  let ref: MessageRef;

  beforeEach(async () => {
    server = await ScriptedImap.start();
    mailbox = plainMailbox(server.port);
    ref = { folder: 'INBOX', id: `7:${server.inbox.add(MAIL).uid}` };
  });
  afterEach(async () => {
    await mailbox.close();
    await server.stop();
  });

  const on = (command: string, answer: (asked: Asked) => void): void => {
    server.intercept = (asked) => {
      if (asked.command !== command) return false;
      answer(asked);
      return true;
    };
  };
  const raw = (of: MessageRef, maxBytes = 10_000) => mailbox.fetchRaw(of, { maxBytes });

  it('fetches a message without marking it as read', async () => {
    expect(await raw(ref)).toEqual(MAIL);
    expect(server.asked.filter((line) => line.startsWith('UID FETCH')).join()).not.toMatch(/BODY\[|RFC822[^.]/);
  });

  it.each([
    ['another UIDVALIDITY', { folder: 'INBOX', id: '6:1' }],
    ['a UID that is not there', { folder: 'INBOX', id: '7:99' }],
    ['a folder that is not there', { folder: 'Nowhere', id: '7:1' }],
    ['an id that is none', { folder: 'INBOX', id: '1:*' }],
  ])('reports that a message no longer exists: %s', async (_why, gone) => {
    const failed = { failure: 'permanent', message: 'The message no longer exists' };
    await expect(raw(gone)).rejects.toMatchObject(failed);
    await expect(mailbox.listAttachments(gone)).rejects.toMatchObject(failed);
    await expect(mailbox.fetchAttachment(gone, 0)).rejects.toMatchObject(failed);
    await expect(mailbox.move(gone, 'Junk')).rejects.toMatchObject(failed);
    await expect(mailbox.markRead(gone, true)).rejects.toMatchObject(failed);
    expect(server.asked.join('\n')).not.toMatch(/STORE|MOVE|COPY/);
  });

  it('fetches only enough of a too large message to prove its size, regardless of the stated size', async () => {
    const most = MAIL.length - 1;
    await expect(raw(ref, most)).rejects.toMatchObject({
      failure: 'permanent',
      message: expect.stringContaining('larger'),
    });
    const fetched = server.asked.filter((line) => line.startsWith('UID FETCH'));
    expect(fetched).toEqual([`UID FETCH 1 (UID BODY.PEEK[]<0.${MAIL.length}>)`]);
    expect(await raw(ref, MAIL.length)).toEqual(MAIL);
  });

  it('opens a folder once for several reads', async () => {
    const second = { folder: 'INBOX', id: `7:${server.inbox.add(MAIL).uid}` };
    await raw(ref);
    await raw(second);
    await mailbox.listAttachments(second);
    expect(server.count('EXAMINE')).toBe(1);
    await mailbox.markRead(second, true);
    await raw(ref);
    expect(server.count('SELECT')).toBe(1);
    expect(server.count('EXAMINE')).toBe(1);
  });

  it('selects the folder again for a message that the server has not announced', async () => {
    await raw(ref);
    const late = { folder: 'INBOX', id: `7:${server.inbox.add(MAIL).uid}` };
    // A message outside the client's view of the folder is not found (RFC 3501, section 5.2).
    server.intercept = ({ tag, command, connection }) => {
      const isUnseen = command === 'UID FETCH' && server.count('EXAMINE') === 1;
      if (isUnseen) connection.say(`${tag} OK done`);
      return isUnseen;
    };
    expect(await raw(late)).toEqual(MAIL);
    expect(server.count('EXAMINE')).toBe(2);
  });

  it('distinguishes an unreadable message from a deleted one', async () => {
    on('UID FETCH', ({ tag, connection }) => connection.say('* 1 FETCH (UID 1 ((((', `${tag} OK done`));
    await expect(raw(ref)).rejects.toMatchObject({
      failure: 'permanent',
      message: expect.stringContaining('unreadable form'),
    });
  });

  describe('moving', () => {
    it.each([
      ['with everything', ['IMAP4rev1', 'MOVE', 'UIDPLUS']],
      ['without UIDPLUS', ['IMAP4rev1', 'MOVE']],
      ['without MOVE', ['IMAP4rev1', 'UIDPLUS']],
      ['without either', ['IMAP4rev1']],
    ])('returns the new reference of the message, %s', async (_what, capabilities) => {
      server.capabilities = capabilities;
      server.folder('Junk').add(plainMail({ to: 'a@b.test' }));
      server.inbox.add(plainMail({ to: 'a@b.test' }));
      expect(await mailbox.move(ref, 'Junk')).toEqual({ folder: 'Junk', id: '7:2' });
      expect(server.inbox.messages).toHaveLength(1);
      expect(server.folder('Junk').messages).toHaveLength(2);
    });

    it('finds a message without Message-ID', async () => {
      server.capabilities = ['IMAP4rev1'];
      const bare = server.inbox.add('Subject: bare\r\n\r\n');
      expect(await mailbox.move({ folder: 'INBOX', id: `7:${bare.uid}` }, 'Junk')).toEqual({
        folder: 'Junk',
        id: '7:1',
      });
    });

    it('does not remove messages that other programs marked as deleted', async () => {
      server.capabilities = ['IMAP4rev1'];
      const theirs = server.inbox.add(MAIL, { flags: ['\\Deleted'] });
      await mailbox.move(ref, 'Junk');
      expect(server.inbox.messages).toContain(theirs);
      expect(server.count('EXPUNGE')).toBe(0);
    });

    it('does not move a message that is already in the folder', async () => {
      expect(await mailbox.move(ref, 'INBOX')).toEqual(ref);
    });

    it('reports a missing folder with the server’s reply', async () => {
      await expect(mailbox.move(ref, 'Nowhere')).rejects.toMatchObject({
        failure: 'permanent',
        lastReply: { code: 'TRYCREATE', command: 'UID MOVE', response: 'NO [TRYCREATE] There is no such folder' },
      });
      expect(server.inbox.messages).toHaveLength(1);
    });

    it('reports an unknown outcome of a move without a response, and does not retry', async () => {
      on('UID MOVE', ({ connection }) => connection.socket.destroy());
      await mailbox.listFolders();
      await expect(mailbox.move(ref, 'Junk')).rejects.toMatchObject({ failure: 'ambiguous' });
      expect(server.count('UID MOVE')).toBe(1);
    });
  });

  it('does not move twice when the connection is lost after the message was moved', async () => {
    server.capabilities = ['IMAP4rev1', 'MOVE'];
    await mailbox.listFolders();
    let moved = false;
    server.intercept = ({ command, connection }) => {
      const isAfter = moved && command === 'EXAMINE';
      moved ||= command === 'UID MOVE';
      if (isAfter) connection.socket.destroy();
      return isAfter;
    };
    await expect(mailbox.move(ref, 'Junk')).rejects.toMatchObject({ failure: 'ambiguous' });
    expect(server.count('UID MOVE')).toBe(1);
  });

  it('reports that a message was copied but not removed', async () => {
    server.capabilities = ['IMAP4rev1', 'UIDPLUS'];
    on('UID STORE', ({ tag, connection }) => connection.say(`${tag} NO [NOPERM] Not yours`));
    await expect(mailbox.move(ref, 'Junk')).rejects.toMatchObject({
      failure: 'ambiguous',
      lastReply: { code: 'NOPERM' },
    });
  });

  describe('storing', () => {
    it.each([
      ['with UIDPLUS', ['IMAP4rev1', 'UIDPLUS']],
      ['without', ['IMAP4rev1']],
    ])('returns the reference of the message, %s', async (_what, capabilities) => {
      server.capabilities = capabilities;
      server.folder('Sent').add(MAIL);
      expect(await mailbox.append('Sent', MAIL, { seen: true })).toEqual({ folder: 'Sent', id: '7:2' });
      const [, stored] = server.folder('Sent').messages;
      expect(stored?.raw).toEqual(MAIL);
      expect(stored?.flags).toContain('\\Seen');
    });

    it('reports an unknown outcome of a store without a response, and does not retry', async () => {
      await mailbox.listFolders();
      on('APPEND', ({ connection }) => connection.socket.destroy());
      await expect(mailbox.append('Sent', MAIL)).rejects.toMatchObject({ failure: 'ambiguous' });
      expect(server.count('APPEND')).toBe(1);
    });
  });

  it('retries a flag change after a lost connection, because it is idempotent', async () => {
    await mailbox.listFolders();
    let times = 0;
    server.intercept = ({ command, connection }) => {
      const isFirst = command === 'UID STORE' && times++ === 0;
      if (isFirst) connection.socket.destroy();
      return isFirst;
    };
    await mailbox.markRead(ref, true);
    expect(server.inbox.messages[0]?.flags).toContain('\\Seen');
  });

  it('reports that the server refuses to mark a message', async () => {
    on('UID STORE', ({ tag, connection }) => connection.say(`${tag} NO [NOPERM] The mailbox is read-only`));
    await expect(mailbox.markRead(ref, true)).rejects.toMatchObject({
      failure: 'permanent',
      lastReply: { code: 'NOPERM' },
    });
  });

  describe('resolving an ambiguous send', () => {
    it('finds the message in the folder for sent mail', async () => {
      server.folder('Sent').add(MAIL);
      expect((await mailbox.findSent('<one@scripted.test>')).state).toBe('sent');
    });

    it('takes no proof from a missing message', async () => {
      expect(await mailbox.findSent('<one@scripted.test>')).toEqual({ state: 'unknown' });
    });

    it('fails when it cannot search', async () => {
      on('UID SEARCH', ({ tag, connection }) => connection.say(`${tag} NO [UNAVAILABLE] The index is being built`));
      await expect(mailbox.findSent('<one@scripted.test>')).rejects.toMatchObject({ failure: 'temporary' });
    });
  });

  it('ends a stream with a failure when the connection is lost in the middle', async () => {
    const large = Buffer.alloc(600_000, 'a');
    server.inbox.add(Buffer.concat([Buffer.from('Subject: large\r\n\r\n'), large]));
    server.intercept = ({ tag, command, args, connection }) => {
      if (command === 'UID FETCH' && args.includes('BODYSTRUCTURE')) {
        connection.say(
          '* 2 FETCH (UID 2 BODYSTRUCTURE ("APPLICATION" "PDF" ("NAME" "a.pdf") NIL NIL "8BIT" 600000 NIL NIL NIL NIL))',
          `${tag} OK done`,
        );
        return true;
      }
      const isSecond = command === 'UID FETCH' && args.includes('<262144.');
      if (isSecond) connection.socket.destroy();
      return isSecond;
    };
    const { content } = await mailbox.fetchAttachment({ folder: 'INBOX', id: '7:2' }, 0);
    const reading = (async () => {
      for await (const chunk of content) expect(chunk).toBeDefined();
    })();
    await expect(reading).rejects.toMatchObject({ failure: 'temporary' });
  });
});
