import { foldHistory, getLabelsBefore, getSlots, getSteps, getStretch } from './gmail-history';
import { type GmailHistoryRecord } from './gmail-resources';

const m = (id: string) => ({ id, threadId: id });
const added = (...ids: string[]): GmailHistoryRecord => ({ messagesAdded: ids.map((id) => ({ message: m(id) })) });
const gone = (id: string): GmailHistoryRecord => ({ messagesDeleted: [{ message: m(id) }] });
const put = (id: string, ...labelIds: string[]): GmailHistoryRecord => ({
  labelsAdded: [{ message: m(id), labelIds }],
});
const off = (id: string, ...labelIds: string[]): GmailHistoryRecord => ({
  labelsRemoved: [{ message: m(id), labelIds }],
});

/** Records with ids 1, 2, 3 … */
const steps = (...records: GmailHistoryRecord[]) =>
  getSteps(records.map((record, at) => ({ id: String(at + 1), ...record })));
const slots = (...records: GmailHistoryRecord[]) =>
  getSlots(foldHistory(steps(...records))).map(({ happened, what }) => `${happened.id} ${what}`);

describe('folding history', () => {
  it.each([
    ['an added message', [added('a')], ['a place']],
    ['one that was deleted again', [added('a'), put('a', 'INBOX'), gone('a')], []],
    ['one that was there before', [gone('a')], ['a gone']],
    ['one that was changed before it went', [off('a', 'UNREAD'), gone('a')], ['a gone']],
    ['an added one that was read and moved', [added('a'), off('a', 'UNREAD'), off('a', 'INBOX')], ['a place']],
    ['one that was read', [off('a', 'UNREAD')], ['a flags']],
    ['one that was moved and starred', [put('a', 'SPAM', 'STARRED')], ['a place', 'a flags']],
    ['one with marks that mean nothing here', [put('a', 'IMPORTANT', 'CATEGORY_UPDATES')], []],
    ['several', [added('b'), off('a', 'UNREAD'), added('c'), gone('b')], ['a flags', 'c place']],
    ['records without what they are about', [{ messagesAdded: [{}], labelsAdded: [{}] }, {}], []],
  ])('returns for %s the messages to read', (_name, records, expected) => {
    expect(slots(...records)).toEqual(expected);
  });

  it('derives the earlier labels from any history', () => {
    const [happened] = foldHistory(steps(put('a', 'SPAM'), off('a', 'INBOX'), off('a', 'SPAM'), put('a', 'TRASH')));
    expect(getLabelsBefore(happened!, ['TRASH', 'UNREAD']).toSorted()).toEqual(['INBOX', 'UNREAD']);
  });
});

describe('a section of history', () => {
  const start = { historyId: '0', done: 0 };
  const end = { historyId: '99', hasNext: false };

  it('is complete when it fits, and the next one starts at the mailbox’s current history id', () => {
    const stretch = getStretch(steps(added('a'), added('b')), start, 2, end);
    expect(stretch).toMatchObject({ slots: [{}, {}], historyId: '99', done: 0, more: false });
  });

  it('ends between records when it does not', () => {
    const stretch = getStretch(steps(added('a'), added('b'), added('c')), start, 2, end);
    expect(stretch).toMatchObject({ slots: [{}, {}], historyId: '2', done: 0, more: true });
  });

  it('ends inside a record that exceeds a batch, and the next one starts there', () => {
    const all = steps(added('a', 'b', 'c'), added('d'));
    const first = getStretch(all, start, 2, end);
    expect(first).toMatchObject({ slots: [{}, {}], historyId: '0', done: 2, more: true });
    const second = getStretch(all, first, 2, end);
    expect(second.slots.map(({ happened }) => happened.id)).toEqual(['c']);
    expect(second).toMatchObject({ historyId: '1', done: 0, more: true });
    expect(getStretch(all.slice(1), second, 2, end)).toMatchObject({ slots: [{}], historyId: '99', more: false });
  });

  it('reports two changes of one message in two batches of one', () => {
    const all = steps(put('a', 'SPAM', 'STARRED'));
    const first = getStretch(all, start, 1, end);
    const second = getStretch(all, first, 1, end);
    expect([first, second].map(({ slots: [slot] }) => slot?.what)).toEqual(['place', 'flags']);
    expect(second).toMatchObject({ historyId: '99', done: 0, more: false });
  });

  it('does not end between records of one id, even at the end of a page', () => {
    const all = getSteps([
      { id: '1', ...added('a') },
      { id: '2', ...added('b') },
      { id: '2', ...added('c') },
    ]);
    expect(getStretch(all, start, 2, end)).toMatchObject({ slots: [{}], historyId: '1', more: true });
    expect(getStretch(all, start, 9, { ...end, hasNext: true })).toMatchObject({
      slots: [{}],
      historyId: '1',
      more: true,
    });
  });

  it('requests the next page when this one has no relevant change', () => {
    const all = steps(put('a', 'IMPORTANT'), put('b', 'IMPORTANT'));
    expect(getStretch(all, start, 5, { ...end, hasNext: true })).toMatchObject({
      slots: [],
      historyId: '1',
      more: true,
    });
  });

  it('is empty without changes', () => {
    expect(getStretch([], start, 5, end)).toEqual({ slots: [], historyId: '99', done: 0, more: false });
  });
});
