import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Connection, type Model } from 'mongoose';
import { type CollectionIndex, getDeclaration } from './collection.decorator';

/** Marks work that is never due. */
const NEVER = new Date(0);

interface DueIndex {
  readonly work: string;
  readonly model: Model<unknown>;
  readonly index: CollectionIndex;
}

/** Measures how long due work has waited, with one read of the first entry of each index that declares `due`. */
@Injectable()
export class DueWorkAgeService {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: ClockPort,
  ) {}

  /** Age of the oldest due item of each kind of work, in seconds; 0 without due items. */
  async ages(): Promise<Map<string, number>> {
    const now = this.clock.now();
    const ages = new Map<string, number>();
    for (const found of await Promise.all(
      this.#indexes().map(async (due) => ({ ...due, age: await getAge(due, now) })),
    )) {
      ages.set(found.work, Math.max(found.age, ages.get(found.work) ?? 0));
    }
    return ages;
  }

  #indexes(): DueIndex[] {
    return Object.values(this.connection.models).flatMap((model) =>
      (getDeclaration(model.schema)?.indexes ?? []).flatMap((index) =>
        index.due === undefined ? [] : [{ work: index.due, model: model as Model<unknown>, index }],
      ),
    );
  }
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
