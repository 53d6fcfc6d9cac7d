import { type WorkspaceScope } from '@domain/access';
import { type mongo } from 'mongoose';
import { type SendingFixture } from '../../../sending/testing';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';

const READS = new Set(['find', 'findOne', 'countDocuments', 'distinct']);

/** All records of a database, with the time and the current workspace. */
export interface DatabaseSnapshot {
  readonly at: Date;
  readonly workspace: WorkspaceScope;
  readonly records: ReadonlyMap<string, mongo.Document[]>;
}

/** Restores the database between tests, because creating the mailboxes again takes longer than the tests. */
export class DatabaseSnapshots {
  /** Collections with writes since the snapshot: only these are restored. */
  readonly #written = new Set<string>();

  constructor(private readonly sending: SendingFixture) {
    const { db } = sending.model<WarmupMailRecord>(WarmupMailRecord);
    db.on('operation-start', ({ collectionName, method }: { collectionName: string; method: string }) => {
      if (!READS.has(method)) this.#written.add(collectionName);
    });
  }

  async take(): Promise<DatabaseSnapshot> {
    const at = this.sending.clock.now();
    const { workspace } = this.sending;
    const found = await this.#db().collections();
    const records = await Promise.all(
      found.map(async (collection) => [collection.collectionName, await collection.find().toArray()] as const),
    );
    this.#written.clear();
    return { at, workspace, records: new Map(records) };
  }

  /** Undoes all writes since the snapshot. */
  async restore({ at, workspace, records }: DatabaseSnapshot): Promise<void> {
    this.sending.server.reset();
    this.sending.clock.freeze(at);
    this.sending.workspace = workspace;
    const db = this.#db();
    const undone = [...this.#written].map(async (name) => {
      await db.collection(name).deleteMany();
      const kept = records.get(name) ?? [];
      if (kept.length > 0) await db.collection(name).insertMany([...kept]);
    });
    await Promise.all(undone);
    this.#written.clear();
  }

  #db(): mongo.Db {
    const { db } = this.sending.model<WarmupMailRecord>(WarmupMailRecord).db;
    if (!db) throw new Error('There is no connection to the database');
    return db;
  }
}
