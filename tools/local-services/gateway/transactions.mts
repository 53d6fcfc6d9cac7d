import type { Socket } from 'node:net';
import type pg from 'pg';
import { CommandError, noSuchTransaction } from './errors.mts';

export interface TransactionCall {
  sessionKey: string;
  number: bigint;
  starts: boolean;
  socket: Socket;
}

interface Transaction {
  number: bigint;
  state: 'active' | 'committed' | 'aborted';
  client?: pg.PoolClient;
  /** The connection of the latest statement: if it breaks, no client can end the transaction. */
  socket: Socket;
  lastUsed: number;
  pending: number;
  /** Statements of one transaction run one after the other, even when an application sends them concurrently. */
  tail: Promise<unknown>;
}

/** A transaction without a statement for this time is rolled back; MongoDB does so after 60 s. */
const IDLE_LIMIT_MS = 60_000;
const REMEMBERED_MS = 10 * 60_000;
/** MongoDB rejects a conflicting write at once; here it waits briefly, since the other transaction may roll back. */
const LOCK_TIMEOUT_MS = 1_000;

/** The multi-document transactions in progress: each holds one PostgreSQL connection from its first statement on. */
export class Transactions {
  readonly #pool: pg.Pool;
  readonly #bySession = new Map<string, Transaction>();
  readonly #idleLimitMs: number;
  readonly #sweeper: NodeJS.Timeout;

  constructor(pool: pg.Pool, idleLimitMs = IDLE_LIMIT_MS) {
    this.#pool = pool;
    this.#idleLimitMs = idleLimitMs;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(5_000, idleLimitMs / 2));
    this.#sweeper.unref();
  }

  /** Runs one statement inside its transaction; any error rolls the transaction back, as in MongoDB. */
  run<T>(call: TransactionCall, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const transaction = call.starts ? this.#start(call) : this.#find(call);
    transaction.socket = call.socket;
    return this.#enqueue(transaction, async () => {
      if (transaction.state !== 'active') throw noSuchTransaction();
      try {
        transaction.client ??= await this.#begin();
        return await work(transaction.client);
      } catch (error) {
        await this.#rollBack(transaction);
        throw error;
      }
    });
  }

  commit(call: TransactionCall): Promise<void> {
    const transaction = this.#find(call);
    return this.#enqueue(transaction, async () => {
      // A driver that lost our answer repeats the request.
      if (transaction.state === 'committed') return;
      if (transaction.state === 'aborted') throw noSuchTransaction();
      const { client } = transaction;
      try {
        const result = await client?.query('COMMIT');
        if (result && result.command !== 'COMMIT') throw noSuchTransaction();
        transaction.state = 'committed';
        transaction.client = undefined;
        client?.release();
      } catch (error) {
        await this.#rollBack(transaction);
        throw error;
      }
    });
  }

  /** The rollback of an unknown transaction succeeds, as the driver expects. */
  async abort(call: TransactionCall): Promise<void> {
    const transaction = this.#bySession.get(call.sessionKey);
    if (transaction?.number !== call.number) return;
    await this.#enqueue(transaction, () => this.#rollBack(transaction));
  }

  async endSession(sessionKey: string): Promise<void> {
    const transaction = this.#bySession.get(sessionKey);
    if (!transaction) return;
    await this.#enqueue(transaction, () => this.#rollBack(transaction));
    if (this.#bySession.get(sessionKey) === transaction) this.#bySession.delete(sessionKey);
  }

  socketClosed(socket: Socket): void {
    for (const transaction of this.#bySession.values()) {
      if (transaction.socket === socket && transaction.state === 'active') this.#abandon(transaction);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.allSettled([...this.#bySession.values()].map((one) => this.#enqueue(one, () => this.#rollBack(one))));
  }

  #start(call: TransactionCall): Transaction {
    const former = this.#bySession.get(call.sessionKey);
    if (former && former.number >= call.number && former.state === 'active') {
      throw new CommandError(117, 'ConflictingOperationInProgress', 'this transaction has already been started');
    }
    if (former?.state === 'active') this.#abandon(former);
    const { number, socket } = call;
    const transaction: Transaction = {
      number,
      socket,
      state: 'active',
      lastUsed: 0,
      pending: 0,
      tail: Promise.resolve(),
    };
    this.#bySession.set(call.sessionKey, transaction);
    return transaction;
  }

  #find(call: TransactionCall): Transaction {
    const transaction = this.#bySession.get(call.sessionKey);
    if (transaction?.number !== call.number) throw noSuchTransaction();
    return transaction;
  }

  #enqueue<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    transaction.pending++;
    const result = transaction.tail.then(work).finally(() => {
      transaction.pending--;
      transaction.lastUsed = Date.now();
    });
    transaction.tail = result.catch(() => {});
    return result;
  }

  async #begin(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    try {
      await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async #rollBack(transaction: Transaction): Promise<void> {
    if (transaction.state === 'active') transaction.state = 'aborted';
    const { client } = transaction;
    transaction.client = undefined;
    if (!client) return;
    try {
      await client.query('ROLLBACK');
      client.release();
    } catch {
      client.release(true);
    }
  }

  #abandon(transaction: Transaction): void {
    void this.#enqueue(transaction, () => this.#rollBack(transaction)).catch(() => {});
  }

  #sweep(): void {
    const now = Date.now();
    for (const [key, transaction] of this.#bySession) {
      if (transaction.pending > 0) continue;
      const idle = now - transaction.lastUsed;
      if (transaction.state === 'active' && idle > this.#idleLimitMs) this.#abandon(transaction);
      if (transaction.state !== 'active' && idle > REMEMBERED_MS) this.#bySession.delete(key);
    }
  }
}
