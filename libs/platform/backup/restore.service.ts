import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Lease, LeaseService } from '@platform/database';
import { ClusterMembershipService, RUNTIME_COLLECTIONS } from '@platform/cluster';
import { type ActiveMaintenance, MaintenanceModeService } from '@platform/maintenance';
import { KeyIdRegistry } from '@platform/secrets';
import { type Connection, mongo } from 'mongoose';
import { BackupRefusedError } from './backup.errors';
import {
  type BackupEnd,
  BackupFileError,
  type BackupHeader,
  type Frame,
  readFrames,
  requireHeader,
} from './backup-format';

export interface RestoreReport {
  /** The moment of which the database is now. */
  readonly backupAt: Date;
  readonly appVersion: string;
  readonly collections: number;
  readonly documents: number;
}

/** One insert has at most so many documents, and so many bytes (MongoDB takes 100 000 and 48 MB). */
const AT_ONCE = 1_000;
const BYTES_AT_ONCE = 8 * 1024 * 1024;
const LEASE = 'restore';
const LEASE_MS = 60_000;
/** Numbers, dates and patterns come out as they went in: nothing becomes a value of JavaScript on the way. */
const EXACT = { promoteValues: false, promoteBuffers: false, promoteLongs: false, bsonRegExp: true };

interface WholeBackup {
  header: BackupHeader;
  end: BackupEnd;
}

/**
 * Writes a backup into a database. The file is read from its beginning to its end before anything is written. A restore that
 * breaks off leaves a database on which no process starts, until it was done again; one that is done leaves an installation
 * that is held (`MaintenanceModeService`): nothing goes out.
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

  /** Reads the whole file and compares it with its own sums. @throws BackupFileError */
  async verify(file: string): Promise<RestoreReport> {
    return toRestoreReport(await readWhole(file));
  }

  /**
   * @param options.drop what is stored is deleted first; otherwise nothing may be there
   * @throws BackupFileError, BackupRefusal; nothing was changed then
   */
  async run(file: string, options: { drop: boolean }): Promise<RestoreReport> {
    const found = await readWhole(file);
    const { header } = found;
    const problems = this.keys.problems(header.keys);
    if (problems.length > 0) {
      throw new BackupRefusedError(
        `${problems.join('; ')}: what was encrypted with it could not be read. Add it and try again`,
      );
    }
    await this.#withLease((lease) => this.#run(file, found, { ...options, lease }));
    return toRestoreReport(found);
  }

  /**
   * Holds an installation whose database came back by other means: nothing goes out until it is released.
   * @param backupAt the moment of which the database is
   * @throws BackupRefusal
   */
  async startMaintenance(backupAt: Date): Promise<ActiveMaintenance> {
    const since = this.clock.now();
    if (backupAt > since) throw new BackupRefusedError('That moment is still to come');
    const held = { state: 'held', backupAt, since } as const;
    await this.#withLease(async () => {
      if (await this.maintenance.current())
        throw new BackupRefusedError('This installation is held already, or half restored');
      await this.#requireNoMembers();
      await this.maintenance.enable(held);
    });
    return held;
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
      throw new BackupFileError('The file was changed while it was read; do it again with --drop');
    }
    await this.#renewLease(lease);
    await this.maintenance.enable({ state: 'held', backupAt, since: this.#getRestoreTime(backupAt) });
  }

  /** From here on no process starts on the database. One that started meanwhile is seen now: all stays as it was then. */
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

  /** Never before the backup, whose machine may have a clock that is ahead. */
  #getRestoreTime(backupAt: Date): Date {
    const now = this.clock.now();
    return now < backupAt ? backupAt : now;
  }

  /** Two restores at once would mix their documents, and the one that ends first would say that all is whole. */
  async #withLease(work: (lease: Lease) => Promise<void>): Promise<void> {
    const lease = await this.leases.acquire(LEASE, LEASE_MS);
    if (!lease) {
      throw new BackupRefusedError(
        'Somebody else is restoring this database; a restore that died is forgotten after a minute',
      );
    }
    try {
      await work(lease);
    } finally {
      await this.leases.release(lease);
    }
  }

  /** Goes on for another minute. @throws BackupRefusal when somebody else has begun meanwhile, for this one stood still */
  async #renewLease(lease: Lease): Promise<void> {
    if (await this.leases.renew(lease, LEASE_MS)) return;
    throw new BackupRefusedError('This restore stood still for so long that another one has begun; this one ends');
  }

  async #requireNoMembers(): Promise<void> {
    if ((await this.cluster.size()) > 0) {
      throw new BackupRefusedError(
        'The API or workers are using this database; stop them first (one that was killed is forgotten after 35 seconds)',
      );
    }
  }

  async #requireEmpty(): Promise<void> {
    if ((await this.maintenance.current())?.state === 'restoring') {
      throw new BackupRefusedError('A restore of this database was not finished: repeat it with --drop');
    }
    for (const name of await this.#collections()) {
      if (RUNTIME_COLLECTIONS.has(name)) continue;
      if ((await this.connection.collection(name).findOne({}, { projection: { _id: 1 } })) !== null) {
        throw new BackupRefusedError(
          `The database is not empty (${name}); with --drop all that is in it is deleted first`,
        );
      }
    }
  }

  async #dropCollections(lease: Lease): Promise<void> {
    for (const name of await this.#collections()) {
      await this.#renewLease(lease);
      // What belongs to processes that run: the lease of this restore among them.
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
      // A copy: what was read is used again for what comes next.
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

/** @throws BackupFileError also for what gzip itself finds wrong */
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
