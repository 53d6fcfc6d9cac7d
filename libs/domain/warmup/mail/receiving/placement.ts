import { type MailboxMessageRecord } from '@domain/mailboxes';
import { type Placement } from '../../schemas/warmup-mail.record';

/** Returns the placement by the role of the folder; `unknown` when the role says nothing about sorting. */
export function getPlacement(role: MailboxMessageRecord['role']): Placement {
  if (role === 'inbox' || role === 'promotions') return role;
  return role === 'junk' ? 'spam' : 'unknown';
}
