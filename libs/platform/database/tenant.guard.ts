import { type Aggregate, type Model, type Query, type Schema } from 'mongoose';

declare module 'mongoose' {
  interface QueryOptions {
    /** Why this call may see the records of every workspace (operator commands, sweepers). */
    allWorkspaces?: string;
  }
  interface AggregateOptions {
    allWorkspaces?: string;
  }
  interface MongooseBulkWriteOptions {
    allWorkspaces?: string;
  }
}

/** A programming error: a query on a workspace's records that does not say which workspace. */
export class TenantGuardError extends Error {
  override readonly name = 'TenantGuardError';
}

const FIELD = 'workspaceId';
const QUERIES = [
  'find', 'findOne', 'findOneAndUpdate', 'findOneAndDelete', 'findOneAndReplace', 'countDocuments', 'distinct',
  'updateOne', 'updateMany', 'deleteOne', 'deleteMany', 'replaceOne',
] as const; // prettier-ignore

/**
 * Mongoose plugin: throws when a query, aggregation, insert or bulk write on a record with a `workspaceId` does not
 * name exactly one workspace, unless it carries `{ allWorkspaces: 'reason' }`.
 */
export function guardTenant(schema: Schema): void {
  if (!schema.path(FIELD)) return;
  schema.pre([...QUERIES], { document: false, query: true }, function (this: Query<unknown, unknown>) {
    if (this.getOptions().allWorkspaces) return;
    const what = `${this.model.modelName}.${String((this as { op?: string }).op)}`;
    requireWorkspace(this.getFilter(), what);
    refuseMove(this.getUpdate(), what);
  });
  schema.pre('estimatedDocumentCount', function (this: Query<unknown, unknown>) {
    if (!this.getOptions().allWorkspaces)
      throw new TenantGuardError(`${this.model.modelName}.estimatedDocumentCount counts every workspace`);
  });
  schema.pre('aggregate', function (this: Aggregate<unknown>) {
    const { allWorkspaces } = this.options as { allWorkspaces?: string };
    // The driver refuses options that it does not know.
    delete (this.options as { allWorkspaces?: string }).allWorkspaces;
    if (allWorkspaces) return;
    const first = this.pipeline()[0];
    requireWorkspace(first !== undefined && '$match' in first ? first.$match : {}, 'aggregate');
  });
  schema.pre('insertMany', function (this: Model<unknown>, docs: unknown) {
    for (const doc of Array.isArray(docs) ? docs : [docs]) requireWorkspace(doc, `${this.modelName}.insertMany`);
  });
  schema.pre('bulkWrite', function (this: Model<unknown>, operations: unknown, options: unknown) {
    if ((options as { allWorkspaces?: string } | undefined)?.allWorkspaces) return;
    for (const operation of operations as Record<string, Record<string, unknown>>[]) {
      for (const [kind, body] of Object.entries(operation)) {
        requireWorkspace(
          kind === 'insertOne' ? body['document'] : body['filter'],
          `${this.modelName}.bulkWrite ${kind}`,
        );
        refuseMove(body['update'], `${this.modelName}.bulkWrite ${kind}`);
      }
    }
  });
}

/** Every model of a connection whose records belong to a workspace. */
export function tenantCollections(models: Record<string, Model<unknown>>): Model<unknown>[] {
  return Object.values(models).filter((model) => model.schema.path(FIELD) !== undefined);
}

function requireWorkspace(filter: unknown, what: string): void {
  const value = (filter as Record<string, unknown> | null | undefined)?.[FIELD];
  const named = typeof value === 'string' ? value !== '' : isObjectId(value) || isSingleEquality(value);
  if (!named)
    throw new TenantGuardError(`${what} does not name one workspace; add ${FIELD} or { allWorkspaces: 'reason' }`);
}

function isSingleEquality(value: unknown): boolean {
  const equal = (value as { $eq?: unknown } | null | undefined)?.$eq;
  return typeof equal === 'string' || isObjectId(equal);
}

function isObjectId(value: unknown): boolean {
  return (value as { _bsontype?: string } | null | undefined)?._bsontype === 'ObjectId';
}

/** No update may carry a record over into another workspace. */
function refuseMove(update: unknown, what: string): void {
  if (update === null || typeof update !== 'object' || Array.isArray(update)) return;
  const { $set, $unset, $rename, $setOnInsert: _allowed, ...rest } = update as Record<string, object | undefined>;
  for (const part of [$set, $unset, $rename, rest]) {
    if (part && FIELD in part) throw new TenantGuardError(`${what} may not change ${FIELD}`);
  }
}
