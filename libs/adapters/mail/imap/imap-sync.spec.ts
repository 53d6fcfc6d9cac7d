import { type NewMessage } from '../port/changes';
import { plainMail } from '../conformance/mail-samples';
import { type ImapMailbox } from './imap-mailbox';
import { toSearchDay } from './imap-sync';
import { fetchLine } from './testing/scripted-folder';
import { type Asked, ScriptedImap } from './testing/scripted-imap';
import { plainMailbox } from './testing/scripted-mailbox';

const SINCE = new Date('2026-01-01T00:00:00Z');

describe('A sync with a server that lacks or breaks something', () => {
  let server: ScriptedImap;
  let mailbox: ImapMailbox;

  beforeEach(async () => {
    server = await ScriptedImap.start();
    mailbox = plainMailbox(server.port);
  });
  afterEach(async () => {
    await mailbox.close();
    await server.stop();
  });

  const sync = (cursor: string | null, limit = 100) => mailbox.sync({ cursor, since: SINCE, limit });
  const add = (count: number) =>
    Array.from({ length: count }, () => server.inbox.add(plainMail({ to: 'grace@scripted.test' })).uid);
  const uids = ({ changes }: { changes: readonly { ref: { id: string } }[] }) =>
    changes.map(({ ref }) => Number(ref.id.split(':')[1]));
  /** Handles commands of one kind once, or a given number of times. */
  const times = (count: number, command: string, answer: (asked: Asked) => void): void => {
    let left = count;
    server.intercept = (asked) => {
      if (asked.command !== command || left === 0) return false;
      left -= 1;
      answer(asked);
      return true;
    };
  };

  it('reads new mail from a server without extensions', async () => {
    server.capabilities = ['IMAP4rev1'];
    const first = add(3);
    const one = await sync(null, 2);
    const two = await sync(one.cursor, 2);
    expect([...uids(one), ...uids(two)]).toEqual(first);
    expect([one.more, two.more]).toEqual([true, false]);
    expect(uids(await sync(two.cursor))).toEqual([]);
    const later = add(1);
    expect(uids(await sync(two.cursor))).toEqual(later);
  });

  it('does not report the last message again, although n:* includes it', async () => {
    add(2);
    const { cursor } = await sync(null);
    server.inbox.uidNext += 5;
    expect(uids(await sync(cursor))).toEqual([]);
    expect(server.asked.filter((line) => line.startsWith('UID') && line.includes('*'))).toEqual([]);
  });

  it('requests nothing from an unchanged folder', async () => {
    add(2);
    const { cursor } = await sync(null);
    const before = server.asked.length;
    await sync(cursor);
    expect(server.asked.slice(before)).toEqual(['EXAMINE INBOX', 'EXAMINE Junk']);
  });

  it('fails when the connection breaks before the list of new mail, and reads all of it next time', async () => {
    const { cursor } = await sync(null);
    const added = add(3);
    times(2, 'UID SEARCH', ({ connection }) => connection.socket.destroy());
    await expect(sync(cursor)).rejects.toMatchObject({ failure: 'temporary', stage: 'request' });
    expect(uids(await sync(cursor))).toEqual(added);
  });

  it.each([
    ['between two messages', (line: Buffer) => line.length],
    ['in the middle of a literal', (line: Buffer) => line.indexOf('Subject') + 3],
    ['before the end of an answer', (line: Buffer) => line.length - 3],
  ])('fails when the connection breaks %s, and reads all of it next time', async (_where, length) => {
    const { cursor } = await sync(null);
    const added = add(3);
    times(2, 'UID FETCH', ({ connection, args }) => {
      const [one, two] = server.inbox.messages.map((message) => fetchLine(server.inbox, message, args));
      connection.end(Buffer.concat([one as Buffer, (two as Buffer).subarray(0, length(two as Buffer))]));
    });
    await expect(sync(cursor)).rejects.toMatchObject({ failure: 'temporary' });
    expect(uids(await sync(cursor))).toEqual(added);
  });

  it('reports a message that the server refuses to return as unreadable, and continues', async () => {
    const [first, broken, last] = add(3) as [number, number, number];
    server.intercept = ({ tag, command, args, connection }) => {
      const isBroken =
        command === 'UID FETCH' &&
        connection.selected?.inSet(args.split(' ')[0] ?? '').some(({ uid }) => uid === broken);
      if (isBroken) connection.say(`${tag} NO Message contains invalid data`);
      return isBroken === true;
    };
    const { changes, cursor } = await sync(null);
    expect(changes).toMatchObject([
      { kind: 'message', ref: { id: `7:${first}` } },
      { kind: 'unreadable', ref: { id: `7:${broken}` }, reason: 'NO Message contains invalid data' },
      { kind: 'message', ref: { id: `7:${last}` } },
    ]);
    expect(uids(await sync(cursor))).toEqual([]);
  });

  it('reports a message with a garbled response as unreadable, and continues', async () => {
    const [first, broken, last] = add(3) as [number, number, number];
    server.intercept = ({ tag, command, args, connection }) => {
      if (command !== 'UID FETCH') return false;
      for (const message of server.inbox.inSet(args.split(' ')[0] ?? '')) {
        if (message.uid === broken) connection.say(`* 2 FETCH (UID ${broken} FLAGS (\\Seen "x) INTERNALDATE ((((`);
        else connection.socket.write(fetchLine(server.inbox, message, args));
      }
      connection.say(`${tag} OK done`);
      return true;
    };
    const { changes } = await sync(null);
    expect(changes.map(({ kind }) => kind)).toEqual(['message', 'unreadable', 'message']);
    expect(uids({ changes })).toEqual([first, broken, last]);
  });

  it('skips a message with an internal server error if others are readable', async () => {
    const isBroken = ({ command, args, connection }: Asked, uid: number) =>
      command === 'UID FETCH' &&
      args.includes('HEADER') &&
      connection.selected?.inSet(args.split(' ')[0] ?? '').some((message) => message.uid === uid) === true;
    const [first] = add(1);
    const { cursor } = await sync(null);
    const [broken] = add(1) as [number];
    server.intercept = (asked) => {
      const strikes = isBroken(asked, broken);
      if (strikes) asked.connection.say(`${asked.tag} NO [SERVERBUG] Internal error occurred.`);
      return strikes;
    };
    expect((await sync(cursor)).changes).toMatchObject([
      { kind: 'unreadable', reason: 'NO [SERVERBUG] Internal error occurred.' },
    ]);
    // Now the earlier message is unreadable too: the server is faulty.
    server.intercept = (asked) => {
      const strikes = isBroken(asked, broken) || isBroken(asked, first as number);
      if (strikes) asked.connection.say(`${asked.tag} NO [SERVERBUG] Internal error occurred.`);
      return strikes;
    };
    await expect(sync(cursor)).rejects.toMatchObject({ failure: 'temporary' });
  });

  it('fails early when a server refuses each of many messages', async () => {
    add(300);
    times(10_000, 'UID FETCH', ({ tag, connection }) => connection.say(`${tag} NO Mailbox is corrupt`));
    await expect(sync(null, 500)).rejects.toMatchObject({ failure: 'temporary' });
    expect(server.count('UID FETCH')).toBeLessThan(100);
  });

  it('omits a message that was deleted before it could be read', async () => {
    const [first, deleted, last] = add(3) as [number, number, number];
    times(1, 'UID FETCH', ({ tag, args, connection }) => {
      server.inbox.remove(deleted);
      for (const message of server.inbox.messages) connection.socket.write(fetchLine(server.inbox, message, args));
      connection.say(`${tag} OK done`);
    });
    const { changes } = await sync(null);
    expect(uids({ changes })).toEqual([first, last]);
  });

  it('skips nothing while the server returns no message at all', async () => {
    const added = add(3);
    times(20, 'UID FETCH', ({ tag, connection }) => connection.say(`${tag} NO Mailbox is corrupt`));
    await expect(sync(null)).rejects.toMatchObject({ failure: 'temporary' });
    server.intercept = () => false;
    expect(uids(await sync(null))).toEqual(added);
  });

  it('fails for a faulty server instead of reporting messages as unreadable', async () => {
    add(1);
    times(9, 'UID FETCH', ({ tag, connection }) => connection.say(`${tag} NO [UNAVAILABLE] Try again later`));
    await expect(sync(null)).rejects.toMatchObject({ failure: 'temporary', lastReply: { code: 'UNAVAILABLE' } });
  });

  it.each(['* SEARCH 1 2 oops', '* SEARCH (((', '* OK nothing to see'])(
    'does not treat %s as an empty list',
    async (answer) => {
      const added = add(3);
      times(1, 'UID SEARCH', ({ tag, connection }) => connection.say(answer, `${tag} OK done`));
      expect(uids(await sync(null))).toEqual(added);
    },
  );

  it('reports that a search was refused instead of finding nothing', async () => {
    add(1);
    times(1, 'UID SEARCH', ({ tag, connection }) => connection.say(`${tag} BAD Unknown criteria`));
    await expect(sync(null)).rejects.toMatchObject({ failure: 'permanent', lastReply: { command: 'UID SEARCH' } });
  });

  it('reads the inbox when the junk folder cannot be opened', async () => {
    const added = add(1);
    server.intercept = ({ tag, command, args, connection }) => {
      const isJunk = command === 'EXAMINE' && args === 'Junk';
      if (isJunk) connection.say(`${tag} NO [NOPERM] Not yours`);
      return isJunk;
    };
    expect(uids(await sync(null))).toEqual(added);
  });

  it('fails when the inbox cannot be opened', async () => {
    times(1, 'EXAMINE', ({ tag, connection }) => connection.say(`${tag} NO [SERVERBUG] Internal error`));
    await expect(sync(null)).rejects.toMatchObject({ failure: 'temporary', lastReply: { code: 'SERVERBUG' } });
  });

  it('rejects a folder without UIDVALIDITY', async () => {
    times(1, 'EXAMINE', ({ tag, connection }) => connection.say('* 1 EXISTS', `${tag} OK done`));
    await expect(sync(null)).rejects.toMatchObject({ failure: 'temporary' });
  });

  it('reads a folder without UIDNEXT', async () => {
    add(2);
    server.intercept = ({ tag, command, args, connection }) => {
      if (command !== 'EXAMINE') return false;
      const folder = server.folder(args);
      connection.selected = folder;
      connection.say(`* ${folder.messages.length} EXISTS`, '* OK [UIDVALIDITY 7] ok', `${tag} OK done`);
      return true;
    };
    const first = await sync(null);
    expect(uids(first)).toEqual([1, 2]);
    const added = add(1);
    const second = await sync(first.cursor);
    expect(uids(second)).toEqual(added);
    expect(uids(await sync(second.cursor))).toEqual([]);
  });

  it('restarts when UIDVALIDITY changed, names the folder, and omits older mail', async () => {
    server.inbox.add(plainMail({ to: 'a@b.test' }), { receivedAt: new Date('2025-06-01T00:00:00Z') });
    const { cursor } = await sync(null);
    server.inbox.uidValidity = 8;
    const added = add(2);
    const again = await sync(cursor);
    expect(again.restarted).toEqual(['INBOX']);
    expect(uids(again)).toEqual(added);
    expect((await sync(again.cursor)).restarted).toEqual([]);
  });

  it.each(['', 'null', '{"v":1}', '{"imap":2,"folders":{}}', '{"imap":1,"folders":{"INBOX":{"v":"x","u":-1,"l":0}}}'])(
    'restarts with the foreign cursor %j',
    async (cursor) => {
      const added = add(1);
      const batch = await sync(cursor);
      expect(uids(batch)).toEqual(added);
      expect(batch.restarted).toEqual(['INBOX', 'Junk']);
    },
  );

  it('omits mail from before the start time to the second, even over several batches', async () => {
    const receivedAt = (time: string) => ({ receivedAt: new Date(time) });
    for (let day = 1; day <= 4; day++) server.inbox.add('a: b\r\n\r\n', receivedAt(`2026-10-0${day}T00:00:00Z`));
    server.inbox.add('a: b\r\n\r\n', receivedAt('2026-11-01T11:59:59Z'));
    server.inbox.add('a: b\r\n\r\n', receivedAt('2026-11-01T12:00:00Z'));
    const since = new Date('2026-11-01T12:00:00.900Z');
    const found: number[] = [];
    let cursor: string | null = null;
    for (let more = true; more;) {
      const batch = await mailbox.sync({ cursor, since, limit: 2 });
      found.push(...uids(batch));
      ({ cursor, more } = batch);
    }
    expect(found).toEqual([6]);
    // A later message is new regardless of its date: it was moved here.
    server.inbox.add('a: b\r\n\r\n', receivedAt('2026-10-01T00:00:00Z'));
    expect(uids(await mailbox.sync({ cursor, since, limit: 2 }))).toEqual([7]);
  });

  it('finds the messages of a sparse folder with few commands', async () => {
    server.inbox.uidNext = 4_000_000_000;
    const added = add(2);
    expect(uids(await sync(null))).toEqual(added);
    expect(server.count('UID SEARCH')).toBeLessThan(20);
  });

  it('stops with an error when it is aborted', async () => {
    add(1);
    const stop = new AbortController();
    times(1, 'UID SEARCH', () => stop.abort());
    const syncing = mailbox.sync({ cursor: null, since: SINCE, limit: 5, signal: stop.signal });
    await expect(syncing).rejects.toMatchObject({ failure: 'temporary' });
    expect(uids(await sync(null))).toHaveLength(1);
  });

  it.each([0, 501, 1.5])('refuses a batch of %d', async (limit) => {
    await expect(sync(null, limit)).rejects.toMatchObject({ failure: 'permanent' });
  });

  it('returns list data even for a message without headers', async () => {
    server.inbox.add('\r\njust a body');
    const { changes } = await sync(null);
    expect((changes[0] as NewMessage).summary).toEqual({
      messageId: null,
      inReplyTo: null,
      references: [],
      from: null,
      to: [],
      subject: '',
      date: null,
    });
  });
});

describe('The day of SEARCH SINCE', () => {
  it.each([
    ['2026-11-21T00:00:00Z', '20-Nov-2026'],
    ['2026-01-01T13:00:00Z', '31-Dec-2025'],
    ['2024-03-01T00:00:00Z', '29-Feb-2024'],
  ])('for %s is a day earlier in any time zone of the server: %s', (since, day) => {
    expect(toSearchDay(new Date(since))).toBe(day);
  });
});
