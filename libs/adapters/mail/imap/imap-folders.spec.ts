import { toImapFolders } from './imap-folders';

const listed = (path: string, specialUse?: string, flags: string[] = []) => ({
  path,
  parentPath: path.split('/').slice(0, -1).join('/'),
  name: path.split('/').at(-1) ?? '',
  specialUse,
  flags: new Set(flags),
});

describe('The folders of a mailbox', () => {
  it('have the roles from the server or imapflow', () => {
    const folders = toImapFolders([
      listed('INBOX', '\\Inbox'),
      listed('[Gmail]/Spam', '\\Junk'),
      listed('Gesendet', '\\Sent'),
      listed('Entwürfe', '\\Drafts'),
      listed('Papierkorb', '\\Trash'),
      listed('Archiv', '\\Archive'),
      listed('[Gmail]/All Mail', '\\All'),
      listed('[Gmail]/Starred', '\\Flagged'),
      listed('Customers'),
    ]);
    expect(folders.map(({ role }) => role)).toEqual([
      'inbox',
      'junk',
      'sent',
      'drafts',
      'trash',
      'archive',
      'all',
      null,
      null,
    ]);
    expect(folders[1]).toEqual({ id: '[Gmail]/Spam', name: 'Spam', role: 'junk' });
  });

  it.each(['Promotions', 'INBOX/promotions', 'Werbung', 'Promoc\u0327o\u0303es'])(
    'have the role promotions for %s',
    (path) => {
      expect(toImapFolders([listed('INBOX'), listed(path)])[1]).toMatchObject({ id: path, role: 'promotions' });
    },
  );

  it.each([
    ['deeper down', listed('Customers/Promotions')],
    ['that is for something else', listed('Promotions', '\\Archive')],
    ['that is called only nearly so', listed('Promotions 2026')],
    ['that cannot hold messages', listed('Promotions', undefined, ['\\Noselect'])],
  ])('do not have the role promotions for a folder %s', (_where, folder) => {
    expect(toImapFolders([listed('INBOX'), folder]).map(({ role }) => role)).not.toContain('promotions');
  });

  it('have the role promotions for one folder only', () => {
    const roles = toImapFolders([listed('INBOX'), listed('Werbung'), listed('Promotions')]).map(({ role }) => role);
    expect(roles).toEqual(['inbox', 'promotions', null]);
  });

  it('are those that can contain messages', () => {
    const folders = toImapFolders([
      listed('INBOX'),
      listed('[Gmail]', undefined, ['\\Noselect', '\\HasChildren']),
      listed('Gone', undefined, ['\\NonExistent']),
    ]);
    expect(folders.map(({ id }) => id)).toEqual(['INBOX']);
  });

  it('have one inbox in any spelling, even when the server does not list it', () => {
    expect(toImapFolders([listed('Inbox')])).toEqual([{ id: 'Inbox', name: 'Inbox', role: 'inbox' }]);
    expect(toImapFolders([listed('Sent', '\\Sent')])[0]).toEqual({ id: 'INBOX', name: 'INBOX', role: 'inbox' });
    expect(toImapFolders([listed('INBOX'), listed('INBOX/Inbox', '\\Inbox')]).map(({ role }) => role)).toEqual([
      'inbox',
      null,
    ]);
  });
});
