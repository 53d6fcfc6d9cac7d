import { type MailboxMessageRecord } from '@domain/mailboxes';
import { type Placement } from '../../schemas/warmup-mail.record';

/** Where a mail was found, by what the folder is for; `unknown` when that says nothing about how it was sorted. */
export function getPlacement(role: MailboxMessageRecord['role']): Placement {
  if (role === 'inbox' || role === 'promotions') return role;
  return role === 'junk' ? 'spam' : 'unknown';
}
