import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type Model, type mongo } from 'mongoose';

/**
 * Creates missing collections and indexes before the process takes work. Collections come first because a write inside
 * a transaction cannot create one on every server.
 */
@Injectable()
export class CollectionIndexService implements OnApplicationBootstrap {
  constructor(@InjectConnection() protected readonly connection: Connection) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.ensure();
  }

  async ensure(): Promise<void> {
    const existing = new Set((await this.connection.listCollections()).map(({ name }) => name));
    for (const model of Object.values(this.connection.models)) await this.make(model, existing);
  }

  protected async make(model: Model<unknown>, existing: ReadonlySet<string>): Promise<void> {
    if (!existing.has(model.collection.name)) await model.createCollection();
    const indexes = getIndexes(model);
    // One command for all indexes of a collection: one command per index dominates the start time of a process.
    if (indexes.length > 0) await model.collection.createIndexes(indexes);
  }
}

export function getIndexes(model: Model<unknown>): mongo.IndexDescription[] {
  return model.schema.indexes().map(([fields, options]) => ({ ...options, key: fields }) as mongo.IndexDescription);
}
