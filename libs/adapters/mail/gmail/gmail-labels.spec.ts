import {
  getGmailFlags,
  toFolders,
  listGmailFolderIds,
  isWatched,
  getListingLabels,
  getGmailPlace,
  getLabelChanges,
} from './gmail-labels';

describe('the folder of a message', () => {
  it.each([
    [['INBOX', 'UNREAD', 'IMPORTANT'], 'INBOX', 'inbox'],
    [['INBOX', 'CATEGORY_PROMOTIONS'], 'CATEGORY_PROMOTIONS', 'promotions'],
    [['CATEGORY_PROMOTIONS'], 'ARCHIVE', 'archive'],
    [['INBOX', 'CATEGORY_UPDATES'], 'INBOX', 'inbox'],
    [['SPAM', 'INBOX'], 'SPAM', 'junk'],
    [['TRASH', 'SPAM', 'INBOX'], 'TRASH', 'trash'],
    [['DRAFT'], 'DRAFT', 'drafts'],
    [['SENT'], 'SENT', 'sent'],
    [['SENT', 'INBOX'], 'INBOX', 'inbox'],
    [['INBOX', 'Label_7'], 'INBOX', 'inbox'],
    [['Label_7', 'STARRED'], 'Label_7', null],
    [['CHAT', 'INBOX'], 'CHAT', null],
    [[], 'ARCHIVE', 'archive'],
  ])('with %j is %s', (labels, folder, role) => {
    expect(getGmailPlace(labels)).toEqual({ folder, role });
  });

  it('is among all mail unless it is spam, deleted or a chat', () => {
    const watched = [['INBOX'], ['SENT'], ['Label_1'], [], ['SPAM'], ['TRASH'], ['CHAT']].map((labels) =>
      isWatched(['all'], getGmailPlace(labels)),
    );
    expect(watched).toEqual([true, true, true, true, false, false, false]);
  });
});

describe('flags', () => {
  it('correspond to labels', () => {
    expect(getGmailFlags(['UNREAD', 'STARRED'])).toEqual({ seen: false, answered: false, flagged: true, draft: false });
    expect(getGmailFlags(['DRAFT'])).toEqual({ seen: true, answered: false, flagged: false, draft: true });
  });
});

describe('reading a mailbox', () => {
  it('requests one label per folder, and all messages for a folder without a label', () => {
    expect(getListingLabels(['inbox', 'promotions', 'junk'])).toEqual([['INBOX'], ['SPAM']]);
    expect(getListingLabels(['inbox', 'archive'])).toEqual([[]]);
  });

  it('returns the folders of the roles', () => {
    expect(listGmailFolderIds(['inbox', 'junk'])).toEqual(['INBOX', 'SPAM']);
  });
});

describe('moving', () => {
  it.each([
    ['SPAM', 'INBOX', ['SPAM'], ['INBOX', 'TRASH']],
    ['INBOX', 'SPAM', ['INBOX'], ['SPAM', 'TRASH', 'CATEGORY_PROMOTIONS']],
    ['CATEGORY_PROMOTIONS', 'SPAM', ['INBOX', 'CATEGORY_PROMOTIONS'], ['SPAM', 'TRASH']],
    ['ARCHIVE', 'INBOX', [], ['INBOX', 'SPAM', 'TRASH']],
    ['Label_2', 'Label_1', ['Label_2'], ['INBOX', 'SPAM', 'TRASH', 'Label_1']],
    ['Label_2', 'Label_2', ['Label_2'], ['INBOX', 'SPAM', 'TRASH']],
  ])('to %s from %s is a change of labels', (folder, from, add, remove) => {
    expect(getLabelChanges(folder, from)).toEqual({ add, remove });
  });

  it.each(['SENT', 'DRAFT'])('to %s is not possible', (folder) => {
    expect(getLabelChanges(folder, 'INBOX')).toBeNull();
  });
});

describe('the folders', () => {
  it('are the system folders and the user’s labels, without flag labels', () => {
    const labels = [
      { id: 'UNREAD', name: 'UNREAD', type: 'system' },
      { id: 'Label_1', name: 'Clients/Acme', type: 'user' },
      { name: 'broken' },
    ];
    const folders = toFolders({ labels });
    expect(folders.filter(({ role }) => role === null)).toEqual([{ id: 'Label_1', name: 'Clients/Acme', role: null }]);
    expect(folders.map(({ id }) => id)).not.toContain('UNREAD');
  });
});
