import { createHash } from 'node:crypto';
import { type MessageSummary } from './changes';

/**
 * Identifies a message across folders, UIDs and repeated reports: SHA-256 (hex) of its Message-ID, date and sender, so that
 * nobody hides a mail by sending another with its Message-ID first. A message without one is told by its date, sender,
 * recipients, subject and size; two such mails that agree in all of them are one.
 */
export function getFingerprint(summary: MessageSummary, size: number): string {
  const { messageId, date, from, to, subject } = summary;
  const sentBy = [date?.toISOString() ?? '', from?.address.toLowerCase() ?? ''];
  const identity = messageId
    ? ['id', messageId.trim(), ...sentBy]
    : ['no-id', ...sentBy, ...to.map(({ address }) => address), subject, String(size)];
  return createHash('sha256').update(identity.join('\0')).digest('hex');
}
