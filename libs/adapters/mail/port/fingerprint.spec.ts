import { type MessageSummary } from './changes';
import { getFingerprint } from './fingerprint';

const SUMMARY: MessageSummary = {
  messageId: '<a@example.com>',
  inReplyTo: null,
  references: [],
  from: { name: 'Ada', address: 'ada@example.com' },
  to: [{ name: '', address: 'grace@example.com' }],
  subject: 'Hello',
  date: new Date('2026-11-20T10:00:00Z'),
};
const withoutId = { ...SUMMARY, messageId: null };
const other = (change: Partial<MessageSummary>) => ({ ...SUMMARY, ...change });

describe('fingerprintOf', () => {
  it.each([
    ['the names of people', other({ from: { name: 'A. Lovelace', address: 'ADA@example.com' } }), 10],
    ['the subject, which servers decode differently', other({ subject: 'Hallo' }), 10],
    ['the size, which servers count differently', SUMMARY, 99],
  ])('does not depend on %s when a Message-ID exists', (_what, summary, size) => {
    expect(getFingerprint(summary, size)).toBe(getFingerprint(SUMMARY, 10));
  });

  it.each([
    ['its Message-ID', other({ messageId: '<b@example.com>' })],
    [
      'its sender, so that no other mail with its Message-ID hides it',
      other({ from: { name: '', address: 'eve@example.com' } }),
    ],
    ['its date', other({ date: new Date('2026-11-21T10:00:00Z') })],
  ])('distinguishes messages by %s', (_what, summary) => {
    expect(getFingerprint(summary, 10)).not.toBe(getFingerprint(SUMMARY, 10));
  });

  it.each([
    ['subject', { ...withoutId, subject: 'Hallo' }, 10],
    ['recipients', { ...withoutId, to: [] }, 10],
    ['size', withoutId, 11],
  ])('distinguishes messages without Message-ID by their %s', (_what, summary, size) => {
    expect(getFingerprint(summary, size)).not.toBe(getFingerprint(withoutId, 10));
  });
});
