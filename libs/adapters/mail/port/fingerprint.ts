import { createHash } from 'node:crypto';
import { type MessageSummary } from './changes';

/**
 * Identifies a message across folders, UIDs and repeated reports: SHA-256 (hex) of its Message-ID, date and sender, so that no
 * other mail with the same Message-ID can hide it. A message without Message-ID is identified by date, sender, recipients, subject
 * and size; two such messages with equal values count as one.
 */
export function getFingerprint(summary: MessageSummary, size: number): string {
  const { messageId, date, from, to, subject } = summary;
  const sentBy = [date?.toISOString() ?? '', from?.address.toLowerCase() ?? ''];
  const identity = messageId
    ? ['id', messageId.trim(), ...sentBy]
    : ['no-id', ...sentBy, ...to.map(({ address }) => address), subject, String(size)];
  return createHash('sha256').update(identity.join('\0')).digest('hex');
}
