import { BSON, Long, type Document } from 'bson';
import { decode, encode, retryId } from './call.mts';
import { CommandError, fromSqlState, unpackSqlState } from './errors.mts';
import { explain } from './explain.mts';
import type { Context, Handler } from './handler.mts';
import { parseCursorId } from './raw-bson.mts';
import { repairWriteErrors } from './write-errors.mts';

const BSON_PARAMETER = '::bytea::documentdb_core.bson';

async function one(context: Context, text: string, values: unknown[]): Promise<Buffer> {
  return (await context.query(text, values))[0]?.[0] as Buffer;
}

/** A command that is one function of (database, command) and returns one document. */
const asIs =
  (fn: string, column = 'document'): Handler =>
  (call, context) =>
    one(context, `SELECT ${column}::bytea FROM documentdb_api.${fn}($1, $2${BSON_PARAMETER})`, [call.db, call.bson]);

const write =
  (fn: string): Handler =>
  async (call, context) => {
    const text = `SELECT p_result::bytea FROM documentdb_api.${fn}($1, $2${BSON_PARAMETER}, $3::bytea::documentdb_core.bsonsequence, $4)`;
    const reply = await one(context, text, [call.db, call.bson, call.sequence, retryId(call)]);
    return reply.includes('writeErrors') ? repairWriteErrors(call, reply, context.lookUp) : reply;
  };

const findAndModify: Handler = (call, context) =>
  one(context, `SELECT p_result::bytea FROM documentdb_api.find_and_modify($1, $2${BSON_PARAMETER}, $3)`, [
    call.db,
    call.bson,
    retryId(call),
  ]);

const firstPage =
  (fn: string): Handler =>
  async (call, context) => {
    const text = `SELECT cursorpage::bytea, continuation::bytea FROM documentdb_api.${fn}($1, $2${BSON_PARAMETER}, $3)`;
    const rows = await context.query(text, [call.db, call.bson, String(context.cursors.nextId())]);
    const [page, continuation] = rows[0] as [Buffer, Buffer];
    const id = parseCursorId(page);
    if (id !== 0n) context.cursors.opened(id, call.db, continuation);
    return page;
  };

/** Without a filter DocumentDB answers from delayed statistics, unlike MongoDB. */
const count: Handler = (call, context) => {
  const command = decode(call.bson);
  const filtered = Object.keys((command['query'] as Document | undefined) ?? {}).length > 0;
  const bson = filtered ? call.bson : encode({ ...command, query: { _id: { $exists: true } } });
  return asIs('count_query')({ ...call, bson }, context);
};

const getMore: Handler = (call, context) => {
  const id = BigInt(String((decode(call.bson) as { getMore: Long }).getMore));
  return context.cursors.next(id, call.db, async (continuation) => {
    const text = `SELECT cursorpage::bytea, continuation::bytea FROM documentdb_api.cursor_get_more($1, $2${BSON_PARAMETER}, $3${BSON_PARAMETER})`;
    const rows = await context.query(text, [call.db, call.bson, continuation]);
    const [page, next] = rows[0] as [Buffer, Buffer];
    return parseCursorId(page) === 0n ? [page] : [page, next];
  });
};

const killCursors: Handler = async (call, context) => {
  const ids = (decode(call.bson) as { cursors: Long[] }).cursors.map((id) => BigInt(String(id)));
  const { killed, notFound } = await context.cursors.kill(ids);
  const longs = (list: bigint[]): Long[] => list.map((id) => Long.fromBigInt(id));
  return {
    cursorsKilled: longs(killed),
    cursorsNotFound: longs(notFound),
    cursorsAlive: [],
    cursorsUnknown: [],
    ok: 1,
  };
};

const create: Handler = async (call, context) => {
  if (Object.keys(decode(call.bson)).length > 1) {
    return one(context, `SELECT documentdb_api.create_collection_view($1, $2${BSON_PARAMETER})::bytea`, [
      call.db,
      call.bson,
    ]);
  }
  const created = await one(context, 'SELECT documentdb_api.create_collection($1, $2)', [call.db, call.collection]);
  if (!created)
    throw new CommandError(48, 'NamespaceExists', `Collection ${call.db}.${call.collection} already exists.`);
  return { ok: 1 };
};

/** The answer is per shard; this server is one shard. */
const createIndexes: Handler = async (call, context) => {
  const text = `SELECT documentdb_api_internal.create_indexes_non_concurrently($1, $2${BSON_PARAMETER}, true)::bytea`;
  const reply = BSON.deserialize(await one(context, text, [call.db, call.bson]));
  const shard = (Object.values((reply['raw'] as Document | undefined) ?? {})[0] ?? reply) as Document;
  const state = unpackSqlState(Number(shard['code']));
  if (state) {
    const { code, codeName, errmsg } = fromSqlState(state, String(shard['errmsg']));
    throw new CommandError(code, codeName, errmsg);
  }
  return shard;
};

/** A CALL cannot cast its result, so it arrives as DocumentDB's hexadecimal literal. */
const fromHexLiteral = (value: unknown): Buffer =>
  Buffer.isBuffer(value) ? value : Buffer.from(String(value).replace(/^BSONHEX/, ''), 'hex');

const dropIndexes: Handler = async (call, context) =>
  fromHexLiteral(await one(context, `CALL documentdb_api.drop_indexes($1, $2${BSON_PARAMETER})`, [call.db, call.bson]));

const drop: Handler = async (call, context) => {
  const dropped = await one(context, 'SELECT documentdb_api.drop_collection($1, $2)', [call.db, call.collection]);
  if (!dropped) throw new CommandError(26, 'NamespaceNotFound', 'ns not found');
  return { ns: `${call.db}.${call.collection}`, ok: 1 };
};

const dropDatabase: Handler = async (call, context) => {
  await context.query('SELECT documentdb_api.drop_database($1)', [call.db]);
  return { dropped: call.db, ok: 1 };
};

const statistics =
  (fn: string): Handler =>
  (call, context) => {
    const perCollection = fn === 'coll_stats';
    const values = perCollection ? [call.db, call.collection] : [call.db];
    return one(context, `SELECT documentdb_api.${fn}(${perCollection ? '$1, $2' : '$1'})::bytea`, values);
  };

const collMod: Handler = (call, context) =>
  one(context, `SELECT documentdb_api.coll_mod($1, $2, $3${BSON_PARAMETER})::bytea`, [
    call.db,
    call.collection,
    call.bson,
  ]);

const listDatabases: Handler = (call, context) =>
  one(context, `SELECT documentdb_api.list_databases($1${BSON_PARAMETER})::bytea`, [call.bson]);

const renameCollection: Handler = (call, context) =>
  one(context, `SELECT documentdb_api.rename_collection($1${BSON_PARAMETER})::bytea`, [call.bson]);

const answer =
  (make: () => Document): Handler =>
  () =>
    Promise.resolve({ ...make(), ok: 1 });

const VERSION = '7.0.0';
const started = Date.now();

const buildInfo = (): Document => ({
  version: VERSION,
  versionArray: [7, 0, 0, 0],
  gitVersion: 'documentdb',
  modules: [],
  bits: 64,
  debug: false,
  maxBsonObjectSize: 16 * 1024 * 1024,
});

const serverStatus = (): Document => ({
  host: 'localhost',
  version: VERSION,
  process: 'mongod',
  pid: Long.fromNumber(process.pid),
  uptime: Math.round((Date.now() - started) / 1000),
  localTime: new Date(),
  storageEngine: { name: 'documentdb', supportsCommittedReads: true, persistent: true },
});

const hostInfo = (): Document => ({
  system: { hostname: 'localhost', cpuAddrSize: 64, numCores: 1, cpuArch: process.arch },
  os: { type: 'Linux', name: 'Debian' },
  extra: {},
});

const connectionStatus = (): Document => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } });

/** Every command by its lower-case name; those about sessions and transactions are the gateway's. */
export const COMMANDS: Record<string, Handler> = {
  insert: write('insert'),
  update: write('update'),
  delete: write('delete'),
  findandmodify: findAndModify,
  count,
  distinct: asIs('distinct_query'),
  find: firstPage('find_cursor_first_page'),
  aggregate: firstPage('aggregate_cursor_first_page'),
  listcollections: firstPage('list_collections_cursor_first_page'),
  listindexes: firstPage('list_indexes_cursor_first_page'),
  getmore: getMore,
  killcursors: killCursors,
  create,
  createindexes: createIndexes,
  dropindexes: dropIndexes,
  deleteindexes: dropIndexes,
  drop,
  dropdatabase: dropDatabase,
  listdatabases: listDatabases,
  collstats: statistics('coll_stats'),
  dbstats: statistics('db_stats'),
  collmod: collMod,
  renamecollection: renameCollection,
  validate: asIs('validate'),
  explain: (call, context) => explain(decode(call.bson), call.db, context),
  ping: answer(() => ({})),
  buildinfo: answer(buildInfo),
  serverstatus: answer(serverStatus),
  hostinfo: answer(hostInfo),
  connectionstatus: answer(connectionStatus),
  getparameter: answer(() => ({ featureCompatibilityVersion: { version: '7.0' } })),
  getcmdlineopts: answer(() => ({ argv: [], parsed: {} })),
  getlog: answer(() => ({ totalLinesWritten: 0, log: [] })),
  whatsmyuri: answer(() => ({ you: '127.0.0.1:0' })),
  replsetgetstatus: answer(() => ({
    set: 'local',
    myState: 1,
    members: [{ _id: 0, name: 'localhost', health: 1, state: 1, stateStr: 'PRIMARY', self: true }],
  })),
};

/** Commands that change collections and indexes: one at a time for each database. */
export const DEFINITIONS = new Set([
  'create',
  'createindexes',
  'dropindexes',
  'deleteindexes',
  'drop',
  'dropdatabase',
  'collmod',
  'renamecollection',
]);
