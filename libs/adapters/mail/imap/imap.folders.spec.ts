import { foldersOf } from './imap.folders';

const listed = (path: string, specialUse?: string, flags: string[] = []) => ({
  path,
  name: path.split('/').at(-1) ?? '',
  specialUse,
  flags: new Set(flags),
});

describe('The folders of a mailbox', () => {
  it('have the roles that the server or imapflow gives them', () => {
    const folders = foldersOf([
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

  it('are those that can hold messages', () => {
    const folders = foldersOf([
      listed('INBOX'),
      listed('[Gmail]', undefined, ['\\Noselect', '\\HasChildren']),
      listed('Gone', undefined, ['\\NonExistent']),
    ]);
    expect(folders.map(({ id }) => id)).toEqual(['INBOX']);
  });

  it('have one inbox, however it is spelled, and also when the server does not list it', () => {
    expect(foldersOf([listed('Inbox')])).toEqual([{ id: 'Inbox', name: 'Inbox', role: 'inbox' }]);
    expect(foldersOf([listed('Sent', '\\Sent')])[0]).toEqual({ id: 'INBOX', name: 'INBOX', role: 'inbox' });
    expect(foldersOf([listed('INBOX'), listed('INBOX/Inbox', '\\Inbox')]).map(({ role }) => role)).toEqual([
      'inbox',
      null,
    ]);
  });
});
