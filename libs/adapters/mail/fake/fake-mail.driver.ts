import { type FakeAccount } from '../port/account';
import { type MailDriver } from '../port/driver';
import { type MailSession } from '../port/session';
import { FakeMailbox } from './fake-mailbox';
import { FakeMailSession } from './fake-mail-session';

/** In-memory mailboxes, one per address. */
export class FakeMailDriver implements MailDriver<'fake'> {
  readonly kind = 'fake';
  readonly #mailboxes = new Map<string, FakeMailbox>();

  /** The mailbox of an address, created on first use. */
  mailbox(address: string): FakeMailbox {
    const known = this.#mailboxes.get(address) ?? new FakeMailbox(address);
    this.#mailboxes.set(address, known);
    return known;
  }

  open({ email }: FakeAccount): MailSession {
    return new FakeMailSession(this.mailbox(email));
  }
}
