import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { tenantCollections } from '@platform/database';
import { type Sought, type StoredRecord, type Subject, toFilter } from '@platform/personal-data';
import { type Connection, type Model, type Types } from 'mongoose';
import { PERSONAL_COLLECTIONS } from './personal-data';

const BATCH = 200;

/** Records of any collection, addressed by the name of the collection. */
@Injectable()
export class SubjectRecordRepository {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Finds the records that a workspace links to an address. */
  async subject(workspaceId: Types.ObjectId, address: string): Promise<Subject> {
    const subject: Subject = { workspaceId, address, leadIds: [], sendIds: [], conversationIds: [] };
    // Against the order of erasure: leads first, through which the others are found.
    for (const { collection, identifies } of PERSONAL_COLLECTIONS.toReversed()) {
      if (!identifies) continue;
      const { as, foundBy } = identifies;
      Object.assign(subject, { [as]: await this.#ids({ collection, foundBy }, subject) });
    }
    return subject;
  }

  /**
   * All records of one collection that may be about the person, in batches; records can be changed or deleted in
   * between.
   */
  async *batches(sought: Sought, subject: Subject): AsyncGenerator<StoredRecord[]> {
    const { workspaceId } = subject;
    const ids = await this.#ids(sought, subject);
    for (let from = 0; from < ids.length; from += BATCH) {
      const _id = { $in: ids.slice(from, from + BATCH) };
      yield await this.model(sought.collection).find({ _id, workspaceId }).sort({ _id: 1 }).lean<StoredRecord[]>();
    }
  }

  async count(sought: Sought, subject: Subject): Promise<number> {
    return this.model(sought.collection).countDocuments(toQuery(sought, subject));
  }

  /** @throws Error for a collection that no module of this process registers */
  model(collection: string): Model<Record<string, unknown>> {
    const found = tenantCollections(this.connection.models).find((one) => one.collection.collectionName === collection);
    if (!found) throw new Error(`No module of this process registers the collection ${collection}`);
    return found as Model<Record<string, unknown>>;
  }

  async #ids(sought: Sought, subject: Subject): Promise<Types.ObjectId[]> {
    const filter = toQuery(sought, subject);
    const found = await this.model(sought.collection).find(filter, { _id: 1 }).lean<{ _id: Types.ObjectId }[]>();
    return found.map(({ _id }) => _id);
  }
}

function toQuery({ foundBy, where }: Sought, subject: Subject) {
  return { ...toFilter(foundBy, subject), ...where, workspaceId: subject.workspaceId };
}
