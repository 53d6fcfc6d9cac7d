import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { DebianRoot } from './debian-root.mts';
import { freePort, untilAccepts } from './ports.mts';
import { run, ServiceProcess } from './processes.mts';

export interface ServiceContext {
  /** Absolute; becomes /data inside. */
  dataDir: string;
  durable: boolean;
  /** Runs autovacuum and collects statistics, as in production. */
  tidies: boolean;
  logFile: string;
}

export interface Postgres {
  process: ServiceProcess;
  connection: { host: string; port: number; user: string; database: string };
}

const BIN = '/usr/lib/postgresql/18/bin';

/** Rewritten at every start, so that a data folder follows the current settings of the project. */
function settings({ durable, tidies }: ServiceContext): string {
  return [
    "shared_preload_libraries = 'pg_cron, pg_documentdb_extended_rum, pg_documentdb_core, pg_documentdb'",
    "cron.database_name = 'postgres'",
    'cron.use_background_workers = on',
    'cron.log_run = off',
    'cron.log_statement = off',
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = '/tmp'",
    'max_connections = 250',
    'shared_buffers = 256MB',
    'max_wal_size = 2GB',
    // Cost estimates are too high for compiled plans.
    'jit = off',
    // Conflicting transactions fail early: the driver retries them.
    'deadlock_timeout = 50ms',
    'documentdb.throwDeadlockOnCRUD = on',
    'documentdb.useFileBasedPersistedCursors = on',
    'documentdb.defaultCursorExpiryTimeLimitSeconds = 600',
    'documentdb.maxCursorFileCount = 0',
    'documentdb_core.bsonUseEJson = off',
    // Indexes are built while their command waits (createIndexes of the gateway): the polling worker has no work.
    'documentdb.enableBackgroundWorkerJobs = off',
    // Of the index kinds, the one that serves sorts.
    "documentdb.alternate_index_handler_name = 'extended_rum'",
    'log_min_messages = warning',
    `synchronous_commit = ${durable ? 'on' : 'off'}`,
    `fsync = ${durable ? 'on' : 'off'}`,
    `full_page_writes = ${durable ? 'on' : 'off'}`,
    // A test that reads a plan gets a stable one, independent of statistics.
    `autovacuum = ${tidies ? 'on' : 'off'}`,
    // Fresh test data must have statistics after seconds, as data in production has.
    `autovacuum_naptime = ${durable ? '1min' : '2s'}`,
    '',
  ].join('\n');
}

/** Creates the cluster beside its final place, so that an interrupted initdb is never used as a database. */
async function initialise(root: DebianRoot, context: ServiceContext): Promise<void> {
  const fresh = join(context.dataDir, 'pg.new');
  await rm(fresh, { recursive: true, force: true });
  const initdb = [
    `${BIN}/initdb`,
    '-D',
    '/data/pg.new',
    '-A',
    'trust',
    '-U',
    'postgres',
    '--locale=C.UTF-8',
    '-E',
    'UTF8',
  ];
  const [command, args] = root.wrap(context.dataDir, [...initdb, '--no-sync', '--no-instructions']);
  const made = await run(command, args);
  if (made.code !== 0) throw new Error(`initdb failed:\n${made.stderr.trim()}`);
  await rename(fresh, join(context.dataDir, 'pg'));
}

export async function startPostgres(root: DebianRoot, context: ServiceContext): Promise<Postgres> {
  const cluster = join(context.dataDir, 'pg');
  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(root, context);
  await mkdir(join(cluster, 'pg_documentdb_cursor_files'), { recursive: true });
  await writeFile(join(cluster, 'postgresql.auto.conf'), settings(context));
  // Cursors of an earlier run: their gateway is gone, so no client can request the next page.
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  return onFreePort(async (port) => {
    const [command, args] = root.wrap(
      context.dataDir,
      [`${BIN}/postgres`, '-D', '/data/pg', '-p', String(port)],
      ['--as-pid-1', '--info-fd', '3'],
    );
    const { logFile } = context;
    const process = new ServiceProcess({
      name: 'postgres',
      command,
      args,
      logFile,
      stopSignal: 'SIGINT',
      wrapped: true,
    });
    const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' };
    return whileStopping(process, async () => {
      await untilAccepts(port, () => process.assertRunning());
      await installExtensions(process, connection);
      return { process, connection };
    });
  });
}

/** Retries with another port when another process bound ours after the check. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort());
    } catch (error) {
      const taken = /address already in use|could not create any TCP\/IP sockets|could not bind/i.test(String(error));
      if (!taken || attempt === 4) throw error;
    }
  }
}

/** A failed start leaves no process. */
export async function whileStopping<T>(process: ServiceProcess, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    await process.stop(2_000);
    throw error;
  }
}

/** PostgreSQL listens before it is ready (recovery after a kill), so the first connections may be refused. */
async function installExtensions(process: ServiceProcess, connection: Postgres['connection']): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    process.assertRunning();
    const client = new pg.Client(connection);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('CREATE EXTENSION IF NOT EXISTS documentdb CASCADE');
      await client.query('CREATE EXTENSION IF NOT EXISTS documentdb_extended_rum');
      await updateExtensions(client);
      await client.query("UPDATE cron.job SET active = false WHERE command LIKE '%build_index_concurrently%'");
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((done) => setTimeout(done, 50));
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** Updates a data folder of an older package: its SQL functions must match the loaded library. */
async function updateExtensions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM pg_available_extensions WHERE installed_version IS NOT NULL AND installed_version <> default_version',
  );
  for (const { name } of rows) await client.query(`ALTER EXTENSION "${name}" UPDATE`);
}
