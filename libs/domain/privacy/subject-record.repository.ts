import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { tenantCollections } from '@platform/database';
import { type Connection, type Model, type Types } from 'mongoose';
import { type StoredRecord } from './erasure-rules';
import { type PersonalCollection } from './personal-collections';
import { createExactPattern, type Subject } from './subject';

const BATCH = 200;

/** A collection to search; without `atRest` it includes records that a worker uses. */
type Sought = Pick<PersonalCollection, 'collection' | 'where' | 'settled'>;

/** Records of any collection, addressed by the name of the collection. */
@Injectable()
export class SubjectRecordRepository {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Finds the records that a workspace links to an address. */
  async subject(workspaceId: Types.ObjectId, address: string): Promise<Subject> {
    const leadIds = await this.#ids('campaign_leads', { workspaceId, email: address });
    const of = { $or: [{ leadId: { $in: leadIds } }, { email: address }] };
    return {
      workspaceId,
      address,
      leadIds,
      sendIds: await this.#ids('sends', { workspaceId, ...of }),
      conversationIds: await this.#ids('conversations', {
        workspaceId,
        $or: [{ leadId: { $in: leadIds } }, { email: createExactPattern(address) }],
      }),
    };
  }

  /**
   * All records of one collection that may be about the person, in batches; records can be changed or deleted in
   * between.
   */
  async *batches({ collection, where, settled }: Sought, subject: Subject): AsyncGenerator<StoredRecord[]> {
    const { workspaceId } = subject;
    const ids = await this.#ids(collection, { ...where(subject), ...settled, workspaceId });
    for (let from = 0; from < ids.length; from += BATCH) {
      const _id = { $in: ids.slice(from, from + BATCH) };
      yield await this.model(collection).find({ _id, workspaceId }).sort({ _id: 1 }).lean<StoredRecord[]>();
    }
  }

  async count({ collection, where, settled }: Sought, subject: Subject): Promise<number> {
    return this.model(collection).countDocuments({ ...where(subject), ...settled, workspaceId: subject.workspaceId });
  }

  /** @throws Error for a collection that no module of this process registers */
  model(collection: string): Model<Record<string, unknown>> {
    const found = tenantCollections(this.connection.models).find((one) => one.collection.collectionName === collection);
    if (!found) throw new Error(`No module of this process registers the collection ${collection}`);
    return found as Model<Record<string, unknown>>;
  }

  async #ids(
    collection: string,
    filter: Record<string, unknown> & { workspaceId: Types.ObjectId },
  ): Promise<Types.ObjectId[]> {
    const found = await this.model(collection).find(filter, { _id: 1 }).lean<{ _id: Types.ObjectId }[]>();
    return found.map(({ _id }) => _id);
  }
}
