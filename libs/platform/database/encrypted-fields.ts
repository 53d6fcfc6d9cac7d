import { type SecretStore, type EncryptedValue } from '@platform/secrets';
import { type Model, type Types } from 'mongoose';

/** A field that holds a sealed secret, or null. */
export interface EncryptedField<R> {
  /** Dotted path in the record. */
  readonly path: string;
  /** What the operator is told it is. */
  readonly name: string;
  /** Whom it is sealed for. */
  owner(record: R): string;
}

interface Identified {
  _id: Types.ObjectId | string;
}

const BATCH = 200;

/**
 * The sealed fields of a collection, for rotation. `owner` is given what lies beside the secrets in `beside`.
 * @param beside fields of the record that `owner` needs, apart from `_id`
 */
export function encryptedFields<R extends Identified>(
  model: Model<R>,
  fields: readonly EncryptedField<R>[],
  beside: readonly (keyof R & string)[] = [],
): SecretStore {
  const wanted = Object.fromEntries([...beside, ...fields.map(({ path }) => path)].map((path) => [path, 1 as const]));
  return {
    name: model.collection.collectionName,
    async *values() {
      for (let after: R['_id'] | undefined; ;) {
        const batch = await toUntyped(model)
          .find(after === undefined ? {} : { _id: { $gt: after } }, wanted)
          .setOptions({ allWorkspaces: 'the keys are the installation’s' })
          .sort({ _id: 1 })
          .limit(BATCH)
          .lean<R[]>();
        for (const record of batch) {
          for (const field of fields) yield* listValues(model, record, field);
        }
        after = batch.at(-1)?._id;
        if (batch.length < BATCH) return;
      }
    },
  };
}

function listValues<R extends Identified>(
  model: Model<R>,
  record: R,
  { path, name, owner }: EncryptedField<R>,
): EncryptedValue[] {
  const sealed = getAt(record, path);
  if (typeof sealed !== 'string') return [];
  const { _id } = record;
  return [
    {
      label: `${String(_id)} ${name}`,
      sealed,
      owner: owner(record),
      replace: async (resealed) => {
        // The content is the same: nothing else of the record changes, its time neither.
        const { matchedCount } = await toUntyped(model)
          .updateOne({ _id, [path]: sealed }, { $set: { [path]: resealed } }, { timestamps: false })
          .setOptions({ allWorkspaces: 'the keys are the installation’s' });
        return matchedCount === 1;
      },
    },
  ];
}

/** Paths are only known at run time here. */
function toUntyped<R>(model: Model<R>): Model<Identified> {
  return model as unknown as Model<Identified>;
}

function getAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], value);
}
