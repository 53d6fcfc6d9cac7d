import { type MailboxMessageRecord } from '@domain/mailboxes';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';

/** A message in a mailbox, and the sender's side of the warmup mail that it is. */
export interface FoundMail {
  readonly message: MailboxMessageRecord;
  readonly mail: WarmupMailRecord;
}

/** Whether a mail was written to the mailbox, by the address that it claims to be from. */
export function isAddressed({ message, mail }: FoundMail, senders: ReadonlyMap<string, string>): boolean {
  const { counterpart, mailboxId } = mail;
  const sender = senders.get(mailboxId.toHexString());
  return counterpart.mailboxId.equals(message.mailboxId) && sender === message.from?.address.toLowerCase();
}
