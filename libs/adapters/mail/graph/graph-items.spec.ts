import { getGraphFlags, isWholeItem, getSize, getGraphSummary } from './graph-items';

describe('a message of Graph', () => {
  it('is read with any property missing or of another type', () => {
    const odd = {
      internetMessageId: 7,
      subject: null,
      from: { emailAddress: null },
      toRecipients: [null, 'x', { emailAddress: { name: 5, address: 'a@b.test' } }],
      sentDateTime: 'yesterday',
      flag: null,
      singleValueExtendedProperties: [null, { id: 'String 0x1039' }, { id: 5, value: 'x' }],
    };
    expect(getGraphSummary(odd)).toEqual({
      messageId: null,
      inReplyTo: null,
      references: [],
      from: null,
      to: [{ name: '', address: 'a@b.test' }],
      subject: '',
      date: null,
    });
    expect(getGraphFlags(odd)).toEqual({ seen: false, answered: false, flagged: false, draft: false });
    expect(getSize(odd)).toBe(0);
  });

  it('limits headers to one line and a maximum length', () => {
    const summary = getGraphSummary({
      subject: `Hello\r\nBcc: everyone@b.test\u0000${'x'.repeat(5_000)}`,
      internetMessageId: '<a@b>\r\n <c@d>',
      from: { emailAddress: { name: 'Eve\nX: y', address: 'eve@b.test\r\n' } },
      toRecipients: Array.from({ length: 5_000 }, () => ({ emailAddress: { address: 'a@b.test' } })),
      singleValueExtendedProperties: [{ id: 'String 0x1039', value: '<r@x> '.repeat(5_000) }],
    });
    expect(summary.subject).toMatch(/^Hello Bcc: everyone@b\.test x+$/);
    expect(summary.subject.length).toBeLessThanOrEqual(2_000);
    expect(summary.messageId).toBe('<a@b>');
    expect(summary.from).toEqual({ name: 'Eve X: y', address: 'eve@b.test' });
    expect(summary.to).toHaveLength(500);
    expect(summary.references).toHaveLength(100);
  });

  it('adds missing angle brackets to a Message-ID', () => {
    expect(getGraphSummary({ internetMessageId: 'a@b' }).messageId).toBe('<a@b>');
    expect(getGraphSummary({ internetMessageId: 'two words' }).messageId).toBeNull();
  });

  it('finds MAPI properties in any spelling of their tags', () => {
    const properties = [
      { id: 'Integer 0xe08', value: '2048' },
      { id: 'Integer 0x1081', value: '103' },
    ];
    expect(getSize({ singleValueExtendedProperties: properties })).toBe(2048);
    expect(getGraphFlags({ singleValueExtendedProperties: properties }).answered).toBe(true);
  });

  it('is incomplete when it contains only the read state', () => {
    expect(isWholeItem({ id: 'a', isRead: true, parentFolderId: 'f' })).toBe(false);
    expect(isWholeItem({ id: 'a', isRead: true, parentFolderId: 'f', receivedDateTime: '2026-11-20T10:00:00Z' })).toBe(
      true,
    );
    expect(isWholeItem({ id: 'a', isRead: true, parentFolderId: 'f', receivedDateTime: '0001-01-01T00:00:00Z' })).toBe(
      false,
    );
  });
});
