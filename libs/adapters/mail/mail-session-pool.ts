import { type OnModuleDestroy } from '@nestjs/common';
import { type MailAccount } from './port/account';
import { type MailDriver } from './port/driver';
import { type MailSession } from './port/session';

interface Open {
  revision: string;
  session: MailSession;
  users: number;
  /** Replaced or evicted: closed after the last use. */
  retired: boolean;
}

/** Maximum idle sessions. They have no connection and need only some kilobytes. */
const MAX_IDLE_SESSIONS = 5_000;

/**
 * The open mailboxes of this process: one session each, shared by all users, so that the number of connections per mailbox is
 * limited.
 */
export class MailSessionPool implements OnModuleDestroy {
  readonly #open = new Map<string, Open>();
  readonly #drivers: ReadonlyMap<string, MailDriver>;
  readonly #closing = new Set<Promise<void>>();
  /** Sessions of replaced accounts that are still in use. */
  readonly #retired = new Map<Open, string>();

  constructor(
    drivers: readonly MailDriver[],
    private readonly maxIdle = MAX_IDLE_SESSIONS,
  ) {
    this.#drivers = new Map(drivers.map((driver) => [driver.kind, driver]));
  }

  /**
   * Runs work with the session of a mailbox. A session of an older revision is closed after its last use.
   * @throws the error of `work`; the session itself throws `MailError`
   */
  async use<T>(account: MailAccount, work: (session: MailSession) => Promise<T>): Promise<T> {
    const entry = this.#entry(account);
    entry.users += 1;
    try {
      return await work(entry.session);
    } finally {
      entry.users -= 1;
      if (entry.retired && entry.users === 0) this.#end(entry);
      else this.#trim();
    }
  }

  /** Runs work with a separate session, for example to check credentials before they are stored. */
  async once<T>(account: MailAccount, work: (session: MailSession) => Promise<T>): Promise<T> {
    const session = this.#opened(account);
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  }

  /** Closes the session of a mailbox at once: running calls fail. */
  async forget(accountId: string): Promise<void> {
    const entry = this.#open.get(accountId);
    this.#open.delete(accountId);
    const retired = [...this.#retired].filter(([, id]) => id === accountId).map(([old]) => old);
    await Promise.all([...(entry ? [entry] : []), ...retired].map(({ session }) => session.close()));
  }

  async onModuleDestroy(): Promise<void> {
    // Includes sessions in use: their calls have to end before the drivers close.
    const sessions = [...this.#open.values(), ...this.#retired.keys()].map(({ session }) => session.close());
    this.#open.clear();
    await Promise.allSettled([...sessions, ...this.#closing]);
    await Promise.allSettled([...this.#drivers.values()].map(async (driver) => driver.close?.()));
  }

  #entry(account: MailAccount): Open {
    const known = this.#open.get(account.id);
    this.#open.delete(account.id);
    if (known?.revision === account.revision) {
      this.#open.set(account.id, known); // the most recently used is last
      return known;
    }
    if (known) this.#retire(account.id, known);
    const entry = { revision: account.revision, session: this.#opened(account), users: 0, retired: false };
    this.#open.set(account.id, entry);
    return entry;
  }

  #opened(account: MailAccount): MailSession {
    const driver = this.#drivers.get(account.kind);
    if (!driver) throw new Error(`There is no mail driver for ${account.kind}`);
    return driver.open(account);
  }

  #trim(): void {
    for (const [id, entry] of this.#open) {
      if (this.#open.size <= this.maxIdle) return;
      if (entry.users > 0) continue;
      this.#open.delete(id);
      this.#retire(id, entry);
    }
  }

  #retire(id: string, entry: Open): void {
    entry.retired = true;
    this.#retired.set(entry, id);
    if (entry.users === 0) this.#end(entry);
  }

  #end(entry: Open): void {
    const { session } = entry;
    this.#retired.delete(entry);
    const closing: Promise<void> = session
      .close()
      .catch(() => undefined)
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
