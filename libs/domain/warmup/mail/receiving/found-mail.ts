import { type MailboxMessageRecord } from '@domain/mailboxes';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';

/** A message in a mailbox, and the sender's side of that warmup mail. */
export interface FoundMail {
  readonly message: MailboxMessageRecord;
  readonly mail: WarmupMailRecord;
}

/** Whether the mail was written to this mailbox and comes from its sender's address. */
export function isAddressed({ message, mail }: FoundMail, senders: ReadonlyMap<string, string>): boolean {
  const { counterpart, mailboxId } = mail;
  const sender = senders.get(mailboxId.toHexString());
  return counterpart.mailboxId.equals(message.mailboxId) && sender === message.from?.address.toLowerCase();
}
