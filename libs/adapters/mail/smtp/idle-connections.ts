import { type SmtpConnection } from './smtp-connection';

/** Messages after which a connection is replaced: servers have their own limits, often 100. */
const MAX_USES = 100;

/** Idle connections that are logged in. */
export class IdleConnections {
  readonly #timers = new Map<SmtpConnection, NodeJS.Timeout>();

  constructor(private readonly idleMs: number) {}

  /** Keeps a connection, or closes it after its maximum number of messages. */
  put(connection: SmtpConnection): void {
    if (connection.over !== null) return;
    if (connection.uses >= MAX_USES) {
      void connection.quit();
      return;
    }
    const timer = setTimeout(() => {
      this.#forget(connection);
      void connection.quit();
    }, this.idleMs);
    timer.unref();
    this.#timers.set(connection, timer);
    connection.onOver = () => this.#forget(connection);
  }

  /** The most recently used one, so that the others become idle and are closed. */
  acquire(): SmtpConnection | null {
    const last = [...this.#timers.keys()].at(-1);
    if (last === undefined) return null;
    this.#forget(last);
    return last;
  }

  acquireAll(): SmtpConnection[] {
    const all = [...this.#timers.keys()];
    for (const connection of all) this.#forget(connection);
    return all;
  }

  #forget(connection: SmtpConnection): void {
    clearTimeout(this.#timers.get(connection));
    this.#timers.delete(connection);
    connection.onOver = null;
  }
}
