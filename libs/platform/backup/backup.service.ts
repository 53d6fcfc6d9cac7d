import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { VERSION } from '@platform/config';
import { RUNTIME_COLLECTIONS } from '@platform/cluster';
import { MaintenanceModeService } from '@platform/maintenance';
import { MigrationHistoryRepository } from '@platform/migrations';
import { KeyIdRegistry } from '@platform/secrets';
import { type ClientSession, type Connection, mongo } from 'mongoose';
import { BackupRefusedError } from './backup.errors';
import { type BackupHeader, FORMAT, FORMAT_VERSION } from './backup-format';
import { FrameWriter } from './frame-writer';
import { readAtSnapshot } from './snapshot-read';

const READ_AT_ONCE = 500;

export interface BackupReport {
  readonly file: string;
  readonly bytes: number;
  readonly collections: number;
  readonly documents: number;
  /** Ids of the keys of SECRET_KEYS that a restore needs. */
  readonly keys: readonly string[];
}

/** Writes a consistent snapshot of the database into one file while the installation keeps running. */
@Injectable()
export class BackupService {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly migrations: MigrationHistoryRepository,
    private readonly maintenance: MaintenanceModeService,
    private readonly keys: KeyIdRegistry,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The file appears once it is complete, readable by its owner only. It contains addresses and mail in plain text; encrypted
   * fields stay encrypted.
   * @throws BackupRefusedError when the file exists, or a restore of the database is incomplete
   */
  async write(file: string, signal: AbortSignal): Promise<BackupReport> {
    if ((await this.maintenance.current())?.state === 'restoring') {
      throw new BackupRefusedError(
        'The last restore of this database is incomplete, so there is no complete database to back up',
      );
    }
    await requireAbsent(file);
    const partial = `${file}.part`;
    const counts: Record<string, number> = {};
    try {
      await readAtSnapshot(this.connection, (session) =>
        pipeline(
          Readable.from(this.#frames(session, counts), { objectMode: false }),
          createGzip(),
          createWriteStream(partial, { mode: 0o600, flush: true }),
          { signal },
        ),
      );
      await requireAbsent(file);
      await rename(partial, file);
      await flushFolder(file);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
    return {
      file,
      bytes: (await stat(file)).size,
      collections: Object.keys(counts).length,
      documents: Object.values(counts).reduce((sum, one) => sum + one, 0),
      keys: this.keys.all().map(({ id }) => id),
    };
  }

  async *#frames(session: ClientSession, counts: Record<string, number>): AsyncGenerator<Buffer> {
    const writer = new FrameWriter();
    // Processes create collections only at their start, so none appears between this list and the first read.
    const names = await this.#collections();
    yield writer.frame('header', mongo.BSON.serialize(await this.#header()));
    for (const name of names) {
      yield writer.frame('collection', mongo.BSON.serialize({ name }));
      let count = 0;
      const found = this.connection.collection(name).find({}, { session, raw: true, batchSize: READ_AT_ONCE });
      for await (const document of found) {
        count += 1;
        yield writer.frame('document', document as unknown as Buffer);
      }
      counts[name] = count;
    }
    yield writer.end(counts);
  }

  async #collections(): Promise<string[]> {
    const own = this.maintenance.collection;
    return (await this.connection.listCollections())
      .filter(
        ({ name, type }) =>
          type !== 'view' && !name.startsWith('system.') && !RUNTIME_COLLECTIONS.has(name) && name !== own,
      )
      .map(({ name }) => name)
      .sort();
  }

  async #header(): Promise<BackupHeader> {
    // In maintenance mode the database still misses all sends since the backup that it was restored from.
    const active = await this.maintenance.current();
    return {
      format: FORMAT,
      version: FORMAT_VERSION,
      createdAt: active?.backupAt ?? this.clock.now(),
      appVersion: VERSION,
      migrations: (await this.migrations.names()).sort(),
      keys: this.keys.all(),
    };
  }
}

async function requireAbsent(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found) throw new BackupRefusedError(`${file} exists already; a backup never overwrites a file`);
}

/** The new name survives a power failure only after the folder is synced, too. */
async function flushFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
