import { type MailChange, type MessageFlags } from '@adapters/mail';
import { foldChanges, getMessagePlace } from './sync-fold';

const FLAGS: MessageFlags = { seen: false, answered: false, flagged: false, draft: false };
const SEEN: MessageFlags = { ...FLAGS, seen: true };
const at = (folder: string, id: string) => ({ ref: { folder, id }, role: 'inbox' as const });
const message = (fingerprint: string, folder: string, id: string): MailChange => ({
  kind: 'message',
  ...at(folder, id),
  fingerprint,
  receivedAt: new Date(0),
  size: 1,
  flags: FLAGS,
  summary: { messageId: null, inReplyTo: null, references: [], from: null, to: [], subject: '', date: null },
  threadId: null,
});

describe('foldChanges', () => {
  it('keeps one message per fingerprint, at its last place', () => {
    const { messages } = foldChanges('custom', [message('f', 'INBOX', '1:1'), message('f', 'Junk', '1:9')]);
    expect([...messages.values()].map(({ ref }) => ref)).toEqual([{ folder: 'Junk', id: '1:9' }]);
  });

  it('does not treat a message as deleted that returned', () => {
    const { updates } = foldChanges('google', [{ kind: 'gone', ...at('INBOX', 'a') }, message('f', 'INBOX', 'a')]);
    expect(updates).toEqual([]);
  });

  it('applies the last of several changes of a message', () => {
    const { updates } = foldChanges('microsoft', [
      { kind: 'flags', ...at('inbox', 'a'), flags: SEEN },
      { kind: 'gone', ...at('inbox', 'a') },
      { kind: 'moved', ref: { folder: 'junkemail', id: 'a' }, role: 'junk' },
      { kind: 'flags', ...at('junkemail', 'a'), flags: FLAGS },
    ]);
    expect(updates).toEqual([
      { place: 'a', flags: FLAGS, isDeleted: false, newPlace: { ref: { folder: 'junkemail', id: 'a' }, role: 'junk' } },
    ]);
  });

  it('treats the same number in two IMAP folders as two messages', () => {
    expect(getMessagePlace('custom', { folder: 'A', id: '1:1' })).not.toBe(
      getMessagePlace('custom', { folder: 'B', id: '1:1' }),
    );
    const { updates } = foldChanges('custom', [
      { kind: 'gone', ...at('A', '1:1') },
      { kind: 'flags', ...at('B', '1:1'), flags: SEEN },
    ]);
    expect(updates).toHaveLength(2);
  });

  it('recognises an unreadable message by its place', () => {
    const broken = { kind: 'unreadable', ...at('INBOX', '1:7'), reason: 'NO' } as const;
    expect(foldChanges('custom', [broken, broken]).unreadable.size).toBe(1);
  });
});
