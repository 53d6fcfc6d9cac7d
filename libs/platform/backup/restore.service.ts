import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Lease, LEASE_MS, LeaseService } from '@platform/database';
import { ClusterMembershipService, RUNTIME_COLLECTIONS } from '@platform/cluster';
import { type ActiveMaintenance, MaintenanceModeService } from '@platform/maintenance';
import { KeyIdRegistry } from '@platform/secrets';
import { type Connection, mongo } from 'mongoose';
import { BackupRefusedError } from './backup.errors';
import { type BackupEnd, type BackupHeader, type Frame, readFrames, requireHeader } from './backup-format';
import { BackupFileError } from './backup.errors';

export interface RestoreReport {
  /** The time whose state the database now has. */
  readonly backupAt: Date;
  readonly appVersion: string;
  readonly collections: number;
  readonly documents: number;
}

/** Limits of one insert, in documents and bytes (MongoDB accepts 100 000 and 48 MB). */
const AT_ONCE = 1_000;
const BYTES_AT_ONCE = 8 * 1024 * 1024;
const LEASE = 'restore';
/** Each write requires the lease, so nothing has to abort it. */
const NEVER = new AbortController().signal;
/** Keeps BSON types: conversion to JavaScript values would change numbers, dates and patterns. */
const EXACT = { promoteValues: false, promoteBuffers: false, promoteLongs: false, bsonRegExp: true };

interface WholeBackup {
  header: BackupHeader;
  end: BackupEnd;
}

/**
 * Restores a backup. The whole file is verified before the first write. After an interrupted restore no process starts on the
 * database until the restore is repeated. After a complete one the installation is in maintenance mode
 * (`MaintenanceModeService`): it sends nothing.
 */
@Injectable()
export class RestoreService {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly maintenance: MaintenanceModeService,
    private readonly keys: KeyIdRegistry,
    private readonly cluster: ClusterMembershipService,
    private readonly leases: LeaseService,
    private readonly clock: ClockPort,
  ) {}

  /** Reads the whole file and verifies its checksum. @throws BackupFileError */
  async verify(file: string): Promise<RestoreReport> {
    return toRestoreReport(await readWhole(file));
  }

  /**
   * @param options.drop deletes the stored data first; without it the database has to be empty
   * @throws BackupFileError, BackupRefusedError before anything is changed
   */
  async run(file: string, options: { drop: boolean }): Promise<RestoreReport> {
    const found = await readWhole(file);
    const { header } = found;
    const problems = this.keys.problems(header.keys);
    if (problems.length > 0) {
      throw new BackupRefusedError(
        `${problems.join('; ')}: data encrypted with it would be unreadable. Add the key and try again`,
      );
    }
    await this.#withLease((lease) => this.#run(file, found, { ...options, lease }));
    return toRestoreReport(found);
  }

  /**
   * Starts maintenance mode for a database that was restored by other means, such as a snapshot of its volume.
   * @param backupAt the time whose state the database has
   * @throws BackupRefusedError
   */
  async startMaintenance(backupAt: Date): Promise<ActiveMaintenance> {
    const since = this.clock.now();
    if (backupAt > since) throw new BackupRefusedError('The time of the backup is in the future');
    const active = { state: 'active', backupAt, since } as const;
    await this.#withLease(async () => {
      if (await this.maintenance.current())
        throw new BackupRefusedError(
          'This installation is in maintenance mode already, or its last restore is incomplete',
        );
      await this.#requireNoMembers();
      await this.maintenance.enable(active);
    });
    return active;
  }

  async #run(
    file: string,
    { header, end }: WholeBackup,
    { drop, lease }: { drop: boolean; lease: Lease },
  ): Promise<void> {
    await this.#requireNoMembers();
    if (!drop) await this.#requireEmpty();
    const backupAt = header.createdAt;
    await this.#markRestoring({ state: 'restoring', backupAt, since: this.#getRestoreTime(backupAt) });
    await this.#dropCollections(lease);
    const counts = await this.#write(file, lease);
    if (JSON.stringify(sortCounts(counts)) !== JSON.stringify(sortCounts(end.counts))) {
      throw new BackupFileError('The file changed during the restore; repeat the restore with --drop');
    }
    await this.#renewLease(lease);
    await this.maintenance.enable({ state: 'active', backupAt, since: this.#getRestoreTime(backupAt) });
  }

  /** No process starts on the database from now on. If one started in the meantime, the former state is put back. */
  async #markRestoring(restoring: ActiveMaintenance): Promise<void> {
    const before = await this.maintenance.current();
    await this.maintenance.enable(restoring);
    try {
      await this.#requireNoMembers();
    } catch (refusal) {
      await (before ? this.maintenance.enable(before) : this.maintenance.disable());
      throw refusal;
    }
  }

  /** Never earlier than the backup, whose machine may have had a clock that is ahead. */
  #getRestoreTime(backupAt: Date): Date {
    const now = this.clock.now();
    return now < backupAt ? backupAt : now;
  }

  /** Two concurrent restores would mix their documents, and the first to end would declare the database complete. */
  async #withLease(work: (lease: Lease) => Promise<void>): Promise<void> {
    const hasRun = await this.leases.runUnderLease(LEASE, NEVER, async (_signal, lease) => {
      await work(lease);
      return true;
    });
    if (hasRun) return;
    throw new BackupRefusedError(
      'Another restore of this database is running; the lease of a crashed one expires after 15 seconds',
    );
  }

  /** Before each write, which no fence guards. @throws BackupRefusedError when it has expired and another restore has begun */
  async #renewLease(lease: Lease): Promise<void> {
    if (await this.leases.renew(lease, LEASE_MS)) return;
    throw new BackupRefusedError(
      'This restore was stalled until its lease expired and another restore began; it ends here',
    );
  }

  async #requireNoMembers(): Promise<void> {
    if ((await this.cluster.size()) > 0) {
      throw new BackupRefusedError(
        'The API or a worker is using this database; stop them first (a killed process expires after 35 seconds)',
      );
    }
  }

  async #requireEmpty(): Promise<void> {
    if ((await this.maintenance.current())?.state === 'restoring') {
      throw new BackupRefusedError('The last restore of this database is incomplete: repeat it with --drop');
    }
    for (const name of await this.#collections()) {
      if (RUNTIME_COLLECTIONS.has(name)) continue;
      if ((await this.connection.collection(name).findOne({}, { projection: { _id: 1 } })) !== null) {
        throw new BackupRefusedError(`The database is not empty (${name}); --drop deletes its contents first`);
      }
    }
  }

  async #dropCollections(lease: Lease): Promise<void> {
    for (const name of await this.#collections()) {
      await this.#renewLease(lease);
      // Collections of running processes stay: the lease of this restore is in one of them.
      if (!RUNTIME_COLLECTIONS.has(name)) await this.connection.dropCollection(name);
    }
  }

  async #collections(): Promise<string[]> {
    return (await this.connection.listCollections())
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('system.') && name !== this.maintenance.collection);
  }

  async #write(file: string, lease: Lease): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    let name = '';
    let batch: mongo.BSON.Document[] = [];
    let bytes = 0;
    const flush = async () => {
      await this.#renewLease(lease);
      if (batch.length > 0) await this.connection.collection(name).insertMany(batch, { ordered: false });
      [batch, bytes] = [[], 0];
    };
    for await (const { kind, bson } of readFile(file)) {
      if (kind === 'collection') {
        await flush();
        name = (mongo.BSON.deserialize(bson) as { name: string }).name;
        await this.connection.createCollection(name);
        counts[name] = 0;
      }
      if (kind !== 'document') continue;
      // A copy, because the buffer is reused for the next frame.
      batch.push(mongo.BSON.deserialize(Buffer.from(bson), EXACT));
      counts[name] = (counts[name] ?? 0) + 1;
      bytes += bson.length;
      if (batch.length >= AT_ONCE || bytes >= BYTES_AT_ONCE) await flush();
    }
    await flush();
    return counts;
  }
}

async function readWhole(file: string): Promise<WholeBackup> {
  let header: BackupHeader | undefined;
  let end: BackupEnd | undefined;
  for await (const frame of readFile(file)) {
    header ??= requireHeader(frame);
    if (frame.kind === 'end') end = mongo.BSON.deserialize(frame.bson) as unknown as BackupEnd;
  }
  if (!header || !end) throw new BackupFileError('The file is empty');
  return { header, end };
}

/** @throws BackupFileError for errors of gzip as well */
async function* readFile(file: string): AsyncGenerator<Frame> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.once('error', (error) => gunzip.destroy(error));
  try {
    yield* readFrames(source.pipe(gunzip));
  } catch (error) {
    if (error instanceof BackupFileError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupFileError(`The file cannot be read: ${reason}`, { cause: error });
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

function toRestoreReport({ header, end }: WholeBackup): RestoreReport {
  const counts = Object.values(end.counts);
  return {
    backupAt: header.createdAt,
    appVersion: header.appVersion,
    collections: counts.length,
    documents: counts.reduce((sum, one) => sum + one, 0),
  };
}

function sortCounts(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
}
