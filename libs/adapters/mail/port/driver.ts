import { type MailAccount, type MailAccountKind } from './account';
import { type MailSession } from './session';

/** A driver for one kind of mailbox. */
export interface MailDriver<K extends MailAccountKind = MailAccountKind> {
  readonly kind: K;
  /** Creates the session; the first call connects. */
  open(account: Extract<MailAccount, { kind: K }>): MailSession;
  /** Closes resources that the sessions share, at the end of the process. */
  close?(): Promise<void>;
}
