import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { RUNTIME_COLLECTIONS } from '@platform/cluster';
import { type Connection, type Model } from 'mongoose';
import { MigrationRecord } from './migration.record';

/** The migrations that have run on the database. */
@Injectable()
export class MigrationHistoryRepository {
  constructor(
    @InjectModel(MigrationRecord.name) private readonly marks: Model<MigrationRecord>,
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: ClockPort,
  ) {}

  async names(): Promise<string[]> {
    const found = await this.marks.find({}, { _id: 1 }).lean<Pick<MigrationRecord, '_id'>[]>();
    return found.map(({ _id }) => _id);
  }

  async mark(name: string, changed: number | null): Promise<void> {
    const first = { appliedAt: this.clock.now(), changed };
    await this.marks.updateOne({ _id: name }, { $setOnInsert: first }, { upsert: true });
  }

  /**
   * Marks an empty database as up to date, because it has no data of an older release.
   * @returns whether the database was empty
   */
  async adopt(names: readonly string[]): Promise<boolean> {
    if (!(await this.isFresh())) return false;
    for (const name of names) await this.mark(name, null);
    return true;
  }

  /** Whether the database has no documents except those of this collection and of running processes. */
  async isFresh(): Promise<boolean> {
    const own = this.marks.collection.collectionName;
    for (const { name, type } of await this.connection.listCollections()) {
      if (name === own || RUNTIME_COLLECTIONS.has(name) || type === 'view' || name.startsWith('system.')) continue;
      if ((await this.connection.collection(name).findOne({}, { projection: { _id: 1 } })) !== null) return false;
    }
    return true;
  }
}
