import { Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Schema as MongooseSchema } from 'mongoose';
import { type FieldPath, type RecordClass } from './field-path';

/** One index and the query that it exists for. */
export interface CollectionIndex {
  /** The query that the index serves, in plain text: an unused index only costs. */
  serves: string;
  fields: Record<string, 1 | -1>;
  unique?: boolean;
  /** Documents outside this filter are not indexed. */
  where?: Record<string, unknown>;
  /**
   * Name of the queue whose work is due at the first field; `CollectionIndexService` measures its delay. The work
   * changes or removes the field when it is done.
   */
  due?: string;
  /** TTL index: seconds after the indexed date at which the document is removed. */
  expireAfterSeconds?: number;
}

export interface CollectionOptions<Field extends string = string> {
  /** `true`: each document belongs to one workspace and each query must name it. Otherwise the reason for the exception. */
  tenant: true | { notBecause: string };
  indexes: readonly CollectionIndex[];
  /**
   * By reason: the texts that hold no data of the people to whom a workspace writes; a field stands for all that is embedded in it.
   * Any other text (also a mixed value, bytes, and a ciphertext) belongs to a `PersonalDataProvider`: test/privacy fails for a
   * field with neither.
   */
  impersonal?: Readonly<Record<string, readonly Field[]>>;
}

export interface CollectionMetadata extends CollectionOptions {
  collection: string;
}

const metadata = new WeakMap<RecordClass, CollectionMetadata>();
const ofSchemas = new WeakMap<MongooseSchema, CollectionMetadata>();

/**
 * Declares a stored record: collection name, whether it belongs to a workspace, and its indexes. Fields use Nest's
 * `@Prop`. A record with `createdAt` or `updatedAt` has them set from the injected clock.
 */
export function Collection<const Field extends string = never>(name: string, options: CollectionOptions<Field>) {
  return <C extends RecordClass>(target: C & KnownFields<Field, InstanceType<C>>): void => {
    metadata.set(target, { collection: name, ...options });
    Schema({ collection: name, versionKey: false, autoIndex: false, autoCreate: false, minimize: false })(target);
  };
}

/** Refuses a declaration of a field that the record does not have. */
type KnownFields<Field, R> = [Exclude<Field, FieldPath<R>>] extends [never]
  ? unknown
  : { readonly unknownField: Exclude<Field, FieldPath<R>> };

/** The declaration of a record class; throws for a class without `@Collection`. */
export function getCollection(record: RecordClass): CollectionMetadata {
  const found = metadata.get(record);
  if (!found) throw new Error(`${record.name} is not declared with @Collection`);
  return found;
}

/** The declaration of a schema that `toSchema` created, otherwise undefined. */
export function getDeclaration(schema: MongooseSchema): CollectionMetadata | undefined {
  return ofSchemas.get(schema);
}

/**
 * A fresh schema with the declared indexes; schemas are not shared between connections.
 * @throws Error for an id path of type `Mixed`, where ids would be stored and compared as text
 */
export function toSchema(record: RecordClass): MongooseSchema {
  const schema: MongooseSchema = SchemaFactory.createForClass(record as never);
  const mixed = Object.entries(schema.paths).filter(
    ([path, type]) => type.instance === 'Mixed' && /Id$|^_id$/.test(path),
  );
  if (mixed.length > 0) throw new Error(`${record.name}.${mixed[0]?.[0]}: declare ids with Schema.Types.ObjectId`);
  for (const { fields, unique, where, expireAfterSeconds } of getCollection(record).indexes) {
    schema.index(fields, {
      ...(unique === undefined ? {} : { unique }),
      ...(where === undefined ? {} : { partialFilterExpression: where }),
      ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds }),
    });
  }
  ofSchemas.set(schema, getCollection(record));
  return schema;
}
