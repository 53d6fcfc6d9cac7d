import { ObjectId, type Document } from 'bson';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { decode, parseCall, retryId, type Call } from './call.mts';
import { COMMANDS, DEFINITIONS } from './commands.mts';
import { Cursors } from './cursors.mts';
import {
  CommandError,
  describeError,
  DUPLICATE_KEY,
  errorReply,
  isForgottenNow,
  WRITE_CONFLICT,
  type MongoError,
} from './errors.mts';
import { completeDuplicate, listOperations } from './duplicate-keys.mts';
import type { Context, Query, Reply } from './handler.mts';
import { RetryableWrites } from './retryable-writes.mts';
import { Transactions, type TransactionCall } from './transactions.mts';
import {
  encodeReply,
  MAX_DOCUMENT,
  MAX_MESSAGE,
  MessageReader,
  parseMessage,
  type WireMessage,
} from './wire-protocol.mts';
import { hasConflict, hasDuplicate, isLoneUpsert, oneByOne, toWriteErrors } from './write-errors.mts';

export interface GatewayOptions {
  postgres: { host: string; port: number; user: string; database: string };
  port?: number;
  /** Connections for statements outside transactions, and as many again for transactions. */
  poolSize?: number;
  transactionIdleMs?: number;
  cursorIdleMs?: number;
}

/** The second attempt of a racing upsert finds the other's document; a true duplicate fails again. */
const UPSERT_ATTEMPTS = 2;
const HOST = '127.0.0.1';
/** Each connection has its own PostgreSQL process with its own table cache, which is expensive to fill again. */
const CONNECTION_IDLE_MS = 600_000;
/** The default time after which a driver gives up on a server. */
const CONFLICT_PATIENCE_MS = 30_000;

/**
 * MongoDB wire protocol on top of PostgreSQL + the DocumentDB extension.
 *
 * DocumentDB executes MongoDB commands inside PostgreSQL: each command is one SQL function that takes and returns BSON.
 * The gateway frames messages, picks the function, keeps transactions and cursors, and translates errors; the query
 * language, indexes, TTL, unique constraints and isolation are DocumentDB's own.
 *
 * For development and tests. No authentication: it binds to loopback and must stay there.
 */
export class MongoGateway {
  readonly #options: GatewayOptions;
  readonly #statements: pg.Pool;
  // A separate pool: transactions that wait for an outside statement could otherwise hold every connection.
  readonly #transactionPool: pg.Pool;
  readonly #transactions: Transactions;
  readonly #cursors: Cursors;
  readonly #retryableWrites = new RetryableWrites();
  readonly #lookUp: Query = (text, values) => this.#query(undefined, text, values, 0);
  readonly #sockets = new Set<Socket>();
  /** The last serialized statement, by database or collection. */
  readonly #queues = new Map<string, Promise<unknown>>();
  #server: Server | undefined;
  #port = 0;
  #closing = false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    const max = options.poolSize ?? 32;
    const pool = { ...options.postgres, max, idleTimeoutMillis: CONNECTION_IDLE_MS };
    this.#statements = new pg.Pool(pool);
    this.#transactionPool = new pg.Pool({ ...pool, connectionTimeoutMillis: 60_000 });
    for (const pool of [this.#statements, this.#transactionPool]) {
      pool.on('error', () => {});
      // A connection that breaks while in use reports through its query; without a listener it would throw.
      pool.on('connect', (client) => client.on('error', () => {}));
    }
    this.#transactions = new Transactions(this.#transactionPool, options.transactionIdleMs);
    this.#cursors = new Cursors((ids) => this.#forgetCursors(ids), options.cursorIdleMs);
  }

  async listen(): Promise<number> {
    const server = createServer((socket) => this.#serve(socket));
    this.#server = server;
    await new Promise<void>((done, failed) => {
      server.once('error', failed).listen(this.#options.port ?? 0, HOST, done);
    });
    this.#port = (server.address() as AddressInfo).port;
    return this.#port;
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    await this.#transactions.close();
    this.#cursors.close();
    await Promise.all([this.#statements.end(), this.#transactionPool.end()]);
  }

  #serve(socket: Socket): void {
    if (this.#closing) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#transactions.socketClosed(socket);
    });
    const reader = new MessageReader();
    let tail = Promise.resolve(); // On one connection a driver expects request, reply, request, reply.
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const message of reader.push(chunk)) {
          tail = tail.then(() => this.#answer(socket, parseMessage(message))).catch(() => void socket.destroy());
        }
      } catch {
        socket.destroy(); // These bytes are not this protocol: the next message cannot be found.
      }
    });
  }

  async #answer(socket: Socket, message: WireMessage): Promise<void> {
    if (socket.destroyed) return;
    let reply: Reply;
    let call: Call | undefined;
    try {
      call = parseCall(message);
      reply = await this.#run(call, socket);
    } catch (error) {
      reply = await this.#failure(error, call);
    }
    if (message.moreToCome || socket.destroyed) return; // An unacknowledged write expects no answer.
    socket.cork();
    for (const part of encodeReply(message.requestId, message.opCode, reply)) socket.write(part);
    socket.uncork();
  }

  async #run(call: Call, socket: Socket): Promise<Reply> {
    switch (call.kind) {
      case 'hello':
      case 'ismaster':
        return this.#hello();
      case 'endsessions':
      case 'killsessions':
        return this.#endSessions(call);
      case 'refreshsessions':
        return { ok: 1 };
      case 'committransaction':
        await this.#transactions.commit(getTransaction(call, socket));
        return { ok: 1 };
      case 'aborttransaction':
        await this.#transactions.abort(getTransaction(call, socket));
        return { ok: 1 };
      default:
    }
    const handler = COMMANDS[call.kind];
    if (!handler) throw new CommandError(59, 'CommandNotFound', `no such command: '${call.name}'`);
    if (call.inTransaction) {
      return this.#transactions.run(getTransaction(call, socket), async (client) =>
        failOnWriteErrors(await handler(call, this.#context(call, client))),
      );
    }
    const work = (): Promise<Reply> => this.#patiently(call, (one) => handler(one, this.#context(one)));
    // Two concurrent definitions can block each other in PostgreSQL.
    if (DEFINITIONS.has(call.kind)) return this.#oneAtATime(call.db, work);
    const { sessionKey, transactionNumber } = call;
    if (!sessionKey || transactionNumber === undefined) return work();
    return this.#retryableWrites.run(sessionKey, transactionNumber, work);
  }

  async #failure(error: unknown, call: Call | undefined): Promise<Reply> {
    if (error instanceof FailedWrites) return error.reply;
    const described = describeError(error);
    if (!call) return errorReply(described, false, false);
    const complete = await completeDuplicate(call, described, this.#lookUp);
    return errorReply(complete, call.inTransaction, retryId(call) !== null);
  }

  #context(call: Call, client?: pg.PoolClient): Context {
    return {
      cursors: this.#cursors,
      lookUp: this.#lookUp,
      query: (text, values) => this.#query(client, text, values ?? [], call.maxTimeMs),
    };
  }

  /**
   * Outside a transaction, MongoDB retries a write after a conflict. PostgreSQL has rolled back the whole statement by
   * then, so a retry is safe. The losers of a race are retried one at a time: concurrent writes of one unique key wait
   * for each other, and would do so again at each joint retry.
   */
  async #patiently(call: Call, work: (call: Call) => Promise<Reply>): Promise<Reply> {
    const deadline = Date.now() + (call.maxTimeMs || CONFLICT_PATIENCE_MS);
    for (let attempt = 1; ; attempt++) {
      try {
        const reply = await (attempt === 1
          ? work(call)
          : this.#oneAtATime(`${call.db}.${call.collection}`, () => work(call)));
        if (hasConflict(reply)) throw new CommandError(WRITE_CONFLICT, 'WriteConflict', 'a write conflicted');
        if (attempt <= UPSERT_ATTEMPTS && isLoneUpsert(call) && hasDuplicate(reply)) continue;
        return reply;
      } catch (error) {
        const lostRace =
          attempt <= UPSERT_ATTEMPTS && describeError(error).code === DUPLICATE_KEY && isLoneUpsert(call);
        if (lostRace) continue;
        if (!isConflict(error, call) || Date.now() > deadline) throw error;
        if (isWrite(call) && listOperations(call).length > 1)
          return oneByOne(call, (one) => this.#patiently(one, work));
        await new Promise((done) => setTimeout(done, Math.random() * Math.min(10 * attempt, 200)));
      }
    }
  }

  async #oneAtATime<T>(queue: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(queue) ?? Promise.resolve();
    const result = before.then(work);
    const settled = result.catch(() => {});
    this.#queues.set(queue, settled);
    try {
      return await result;
    } finally {
      if (this.#queues.get(queue) === settled) this.#queues.delete(queue);
    }
  }

  async #query(
    client: pg.PoolClient | undefined,
    text: string,
    values: unknown[],
    maxTimeMs: number,
  ): Promise<unknown[][]> {
    const name = statementName(text);
    const statement = { text, values, rowMode: 'array' as const, ...(name && { name }) };
    if (!maxTimeMs) return (await (client ?? this.#statements).query<unknown[]>(statement)).rows;
    const timed = client ?? (await this.#statements.connect());
    let broken = false;
    try {
      await timed.query(`SET statement_timeout = ${Math.min(maxTimeMs, 2 ** 31 - 1)}`);
      return (await timed.query<unknown[]>(statement)).rows;
    } finally {
      // A failed transaction accepts no setting, and its ROLLBACK reverts this one.
      await timed.query('RESET statement_timeout').catch(() => (broken = true));
      if (!client) timed.release(broken);
    }
  }

  async #forgetCursors(ids: bigint[]): Promise<void> {
    await this.#query(undefined, 'SELECT documentdb_api_internal.delete_cursors($1::bigint[])', [ids.map(String)], 0);
  }

  async #endSessions(call: Call): Promise<Reply> {
    const list = (Object.values(decode(call.bson))[0] ?? []) as Document[];
    for (const session of list) {
      const bytes = (session['id'] as { buffer?: Uint8Array } | undefined)?.buffer;
      if (!bytes) continue;
      const key = Buffer.from(bytes).toString('hex');
      await this.#transactions.endSession(key);
      this.#retryableWrites.forget(key);
    }
    return { ok: 1 };
  }

  #hello(): Document {
    const self = `${HOST}:${this.#port}`;
    return {
      helloOk: true,
      ismaster: true,
      isWritablePrimary: true,
      setName: 'local',
      setVersion: 1,
      hosts: [self],
      primary: self,
      me: self,
      electionId: new ObjectId('7fffffff0000000000000001'),
      maxBsonObjectSize: MAX_DOCUMENT,
      maxMessageSizeBytes: MAX_MESSAGE,
      maxWriteBatchSize: 25_000,
      localTime: new Date(),
      logicalSessionTimeoutMinutes: 30,
      connectionId: 1,
      minWireVersion: 0,
      maxWireVersion: 21,
      readOnly: false,
      ok: 1,
    };
  }
}

function getTransaction(call: Call, socket: Socket): TransactionCall {
  if (!call.sessionKey || call.transactionNumber === undefined) {
    throw new CommandError(72, 'InvalidOptions', 'a transaction needs lsid and txnNumber');
  }
  return { sessionKey: call.sessionKey, number: call.transactionNumber, starts: call.startsTransaction, socket };
}

/** The reply of a partly failed write, thrown so that its transaction is rolled back before the reply is sent. */
class FailedWrites extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super('write errors');
    this.reply = reply;
  }
}

/** A write error inside a transaction ends it, as in MongoDB. */
function failOnWriteErrors(reply: Reply): Reply {
  if (hasConflict(reply))
    throw new CommandError(WRITE_CONFLICT, 'WriteConflict', 'another transaction writes this document');
  if (toWriteErrors(reply).length > 0) throw new FailedWrites(reply);
  return reply;
}

const isWrite = (call: Call): boolean => call.kind === 'insert' || call.kind === 'update' || call.kind === 'delete';

function isConflict(error: unknown, call: Call): boolean {
  const { code, errmsg }: MongoError = describeError(error);
  if (code === WRITE_CONFLICT) return true;
  if ((isWrite(call) || call.kind === 'findandmodify') && isForgottenNow(errmsg)) return true;
  // Of two clients that create one collection or index concurrently, the second finds it at its next attempt.
  const state = (error as { code?: unknown }).code;
  return DEFINITIONS.has(call.kind) && (state === '23505' || state === '42P07' || /concurrently/.test(String(error)));
}

/** Each SQL text is prepared once per connection under a short, stable name; EXPLAIN and CALL cannot be. */
const statementNames = new Map<string, string>();
function statementName(text: string): string | undefined {
  if (!text.startsWith('SELECT')) return undefined;
  let name = statementNames.get(text);
  if (!name) statementNames.set(text, (name = `gateway_${statementNames.size}`));
  return name;
}
