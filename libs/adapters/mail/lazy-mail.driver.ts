import { type MailAccount, type MailAccountKind } from './port/account';
import { type MailDriver } from './port/driver';
import { type MailSession } from './port/session';

/** A driver that loads with the first mailbox of its kind, because its libraries need megabytes. */
export class LazyMailDriver<K extends MailAccountKind> implements MailDriver<K> {
  #driver: MailDriver<K> | undefined;

  constructor(
    readonly kind: K,
    private readonly load: () => MailDriver<K>,
  ) {}

  open(account: Extract<MailAccount, { kind: K }>): MailSession {
    this.#driver ??= this.load();
    return this.#driver.open(account);
  }

  async close(): Promise<void> {
    await this.#driver?.close?.();
  }
}
