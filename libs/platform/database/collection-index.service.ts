import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Connection, type Model, type mongo } from 'mongoose';
import { type CollectionIndex, getDeclaration } from './collection.decorator';

/** Marks work that is never due. */
const NEVER = new Date(0);

interface DueIndex {
  readonly work: string;
  readonly model: Model<unknown>;
  readonly index: CollectionIndex;
}

/**
 * The declared indexes of all collections: creates them before the process takes work, and measures the delay of the
 * work whose index declares `due`.
 */
@Injectable()
export class CollectionIndexService implements OnApplicationBootstrap {
  constructor(
    @InjectConnection() protected readonly connection: Connection,
    private readonly clock: ClockPort,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.ensure();
  }

  /**
   * Creates missing collections and indexes. Collections come first because a write inside a transaction cannot create
   * one on every server.
   */
  async ensure(): Promise<void> {
    const existing = new Set((await this.connection.listCollections()).map(({ name }) => name));
    for (const model of Object.values(this.connection.models)) await this.make(model, existing);
  }

  /**
   * Age of the oldest due item of each kind of work, in seconds; 0 without due items. Reads the first entry of each
   * index.
   */
  async getDueAges(): Promise<Map<string, number>> {
    const now = this.clock.now();
    const ages = new Map<string, number>();
    for (const found of await Promise.all(
      this.#listDueIndexes().map(async (due) => ({ ...due, age: await getAge(due, now) })),
    )) {
      ages.set(found.work, Math.max(found.age, ages.get(found.work) ?? 0));
    }
    return ages;
  }

  protected async make(model: Model<unknown>, existing: ReadonlySet<string>): Promise<void> {
    if (!existing.has(model.collection.name)) await model.createCollection();
    const indexes = getIndexes(model);
    // One command for all indexes of a collection: one command per index dominates the start time of a process.
    if (indexes.length > 0) await model.collection.createIndexes(indexes);
  }

  #listDueIndexes(): DueIndex[] {
    return Object.values(this.connection.models).flatMap((model) =>
      (getDeclaration(model.schema)?.indexes ?? []).flatMap((index) =>
        index.due === undefined ? [] : [{ work: index.due, model: model as Model<unknown>, index }],
      ),
    );
  }
}

export function getIndexes(model: Model<unknown>): mongo.IndexDescription[] {
  return model.schema.indexes().map(([fields, options]) => ({ ...options, key: fields }) as mongo.IndexDescription);
}

async function getAge({ model, index: { fields, where } }: DueIndex, now: Date): Promise<number> {
  const [field = ''] = Object.keys(fields);
  const oldest: unknown = await model
    .findOne({ ...where, [field]: { $gt: NEVER, $lte: now } }, { [field]: 1 })
    .setOptions({ allWorkspaces: 'the delay of the installation is measured' })
    .sort({ [field]: 1 })
    .lean();
  const dueAt = field
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], oldest);
  return dueAt instanceof Date ? (now.getTime() - dueAt.getTime()) / 1_000 : 0;
}
