import { type MailAccount, type MailAccountKind } from './account';
import { type MailSession } from './session';

/** Speaks to one kind of mailbox. */
export interface MailDriver<K extends MailAccountKind = MailAccountKind> {
  readonly kind: K;
  /** Opens nothing yet. */
  open(account: Extract<MailAccount, { kind: K }>): MailSession;
  /** Ends what the sessions share, at the end of the process. */
  close?(): Promise<void>;
}
