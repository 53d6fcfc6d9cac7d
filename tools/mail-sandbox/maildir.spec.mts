import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { folderPath, mailboxFolder, MailboxNameError, Maildirs } from './maildir.mts';

describe('folders of mailboxes', () => {
  it.each([
    '../../etc/passwd',
    '..',
    '.',
    'a/b@x.test',
    '/root@x.test',
    'a\u0000b@x.test',
    'a\\..\\b@x.test',
    '%2e%2e',
  ])('keep the hostile address %j inside the mail folder', (address) => {
    const folder = mailboxFolder(address);
    expect(resolve('/mail', folder).startsWith('/mail/')).toBe(true);
    expect(folder).not.toContain('/');
  });

  it('are one path segment for any text, and different for different addresses', () => {
    const folderOrRefusal = (address: string): string | undefined => {
      try {
        return mailboxFolder(address);
      } catch (error) {
        expect(error).toBeInstanceOf(MailboxNameError);
        return undefined;
      }
    };
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, two) => {
        const [a, b] = [folderOrRefusal(one), folderOrRefusal(two)];
        if (a === undefined || b === undefined) return;
        expect(resolve('/mail', a)).toBe(`/mail/${a}`);
        expect(a === b).toBe(one.toLowerCase() === two.toLowerCase());
      }),
    );
  });

  it('have the lower-case names that Dovecot expects', () => {
    expect(mailboxFolder('Ann.Lee+x_y=z@Sub.X.test')).toBe('ann.lee+x_y=z@sub.x.test');
  });

  it('reject names that a file system does not support', () => {
    expect(() => mailboxFolder('')).toThrow(MailboxNameError);
    expect(() => mailboxFolder(`${'ä'.repeat(100)}@x.test`)).toThrow('too long');
  });

  it.each(['../x', 'cur', 'a/new', '', '/a', 'a//b', '.x', 'a\nb', 'a/b/c/d/e/f'])(
    'reject the client name %j',
    (name) => {
      expect(() => folderPath('/m', name)).toThrow(MailboxNameError);
    },
  );

  it('may be nested', () => {
    expect(folderPath('/m', 'inbox')).toBe('/m');
    expect(folderPath('/m', 'Archive/2026')).toBe('/m/Archive/2026');
  });
});

describe('delivery', () => {
  let root: string;
  let maildirs: Maildirs;
  let message: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'maildir-'));
    maildirs = new Maildirs(join(root, 'mail'));
    message = join(root, 'message.eml');
    await writeFile(message, 'Subject: x\r\n\r\nhello');
  });
  afterEach(() => rm(root, { recursive: true }));

  it('writes the complete message to new, in a mailbox that it creates', async () => {
    const name = await maildirs.deliver('Ann@x.test', message);
    expect(await readFile(join(root, 'mail/ann@x.test/Maildir/new', name), 'utf8')).toContain('hello');
    expect((await readdir(join(root, 'mail/ann@x.test/Maildir'))).sort()).toEqual(['cur', 'new', 'tmp']);
  });

  it('gives every message its own name, and creates a deleted mailbox again', async () => {
    const names = await Promise.all(Array.from({ length: 20 }, () => maildirs.deliver('a@x.test', message)));
    expect(new Set(names).size).toBe(20);
    expect(await maildirs.remove('a@x.test')).toBe(true);
    expect(await maildirs.remove('a@x.test')).toBe(false);
    await maildirs.deliver('a@x.test', message, 'Junk');
    expect(await readdir(join(root, 'mail/a@x.test/Maildir/Junk/new'))).toHaveLength(1);
  });

  it('recreates a mailbox that another process deleted', async () => {
    await maildirs.deliver('a@x.test', message);
    await rm(join(root, 'mail'), { recursive: true });
    await mkdir(join(root, 'mail'));
    await maildirs.deliver('a@x.test', message);
    expect(await readdir(join(root, 'mail/a@x.test/Maildir/new'))).toHaveLength(1);
  });

  it('fills a folder with many messages', async () => {
    await maildirs.deliverMany('a@x.test', 'Archive', 600, (n) => `Subject: ${n}\r\n\r\n`);
    expect(await readdir(join(root, 'mail/a@x.test/Maildir/Archive/cur'))).toHaveLength(600);
  });
});
