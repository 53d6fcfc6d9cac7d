import { type SecretStore, type EncryptedValue } from '@platform/secrets';
import { type Model, type Types } from 'mongoose';

/** A field with an encrypted secret or null. */
export interface EncryptedField<R> {
  /** Dotted path in the record. */
  readonly path: string;
  /** Name of the secret in reports to the operator. */
  readonly name: string;
  /** The owner that the secret is bound to. */
  owner(record: R): string;
}

interface Identified {
  _id: Types.ObjectId | string;
}

const BATCH = 200;

/**
 * The encrypted fields of a collection as a store for key rotation.
 * @param beside fields of the record that `owner` reads, besides `_id`
 */
export function encryptedFields<R extends Identified>(
  model: Model<R>,
  fields: readonly EncryptedField<R>[],
  beside: readonly (keyof R & string)[] = [],
): SecretStore {
  const projection = Object.fromEntries(
    [...beside, ...fields.map(({ path }) => path)].map((path) => [path, 1 as const]),
  );
  return {
    name: model.collection.collectionName,
    async *values() {
      for (let after: R['_id'] | undefined; ;) {
        const batch = await toUntyped(model)
          .find(after === undefined ? {} : { _id: { $gt: after } }, projection)
          .setOptions({ allWorkspaces: 'the keys belong to the installation' })
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
  const encrypted = getAt(record, path);
  if (typeof encrypted !== 'string') return [];
  const { _id } = record;
  return [
    {
      label: `${String(_id)} ${name}`,
      ciphertext: encrypted,
      owner: owner(record),
      replace: async (resealed) => {
        // The content is the same, so `updatedAt` stays.
        const { matchedCount } = await toUntyped(model)
          .updateOne({ _id, [path]: encrypted }, { $set: { [path]: resealed } }, { timestamps: false })
          .setOptions({ allWorkspaces: 'the keys belong to the installation' });
        return matchedCount === 1;
      },
    },
  ];
}

/** Paths are known at run time only. */
function toUntyped<R>(model: Model<R>): Model<Identified> {
  return model as unknown as Model<Identified>;
}

function getAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], value);
}
