import { TenantGuardError } from './database.errors';
import { type Aggregate, type Document, type Model, type Query, type Schema } from 'mongoose';

declare module 'mongoose' {
  interface QueryOptions {
    /** Why this call may see the records of every workspace (operator commands, sweeps). */
    allWorkspaces?: string;
  }
  interface AggregateOptions {
    allWorkspaces?: string;
  }
  interface MongooseBulkWriteOptions {
    allWorkspaces?: string;
  }
}

const FIELD = 'workspaceId';
const QUERIES = [
  'find', 'findOne', 'findOneAndUpdate', 'findOneAndDelete', 'countDocuments', 'distinct',
  'updateOne', 'updateMany', 'deleteOne', 'deleteMany',
] as const; // prettier-ignore
/** A replacement would remove the workspace from its record. */
const REPLACEMENTS = ['replaceOne', 'findOneAndReplace'] as const;
/** Stages that read or write other collections without the workspace of the first stage. */
const ELSEWHERE = ['$lookup', '$graphLookup', '$unionWith', '$out', '$merge'] as const;

type WithReason = { allWorkspaces?: string } | undefined;

/**
 * Mongoose plugin: throws when a query, aggregation, insert or bulk write on a record with a `workspaceId` does not
 * name exactly one workspace, unless it has `{ allWorkspaces: 'reason' }`. No record can move to another workspace.
 */
export function guardTenant(schema: Schema): void {
  if (!schema.path(FIELD)) return;
  guardQueries(schema);
  schema.pre('aggregate', function (this: Aggregate<unknown>) {
    const options = this.options as { allWorkspaces?: string };
    const { allWorkspaces } = options;
    delete options.allWorkspaces; // the driver refuses unknown options
    if (!allWorkspaces) requireOwnPipeline(this.pipeline() as unknown as Record<string, unknown>[]);
  });
  schema.pre('insertMany', function (this: Model<unknown>, docs: unknown) {
    for (const doc of Array.isArray(docs) ? docs : [docs]) requireWorkspace(doc, `${this.modelName}.insertMany`);
  });
  schema.pre('bulkWrite', function (this: Model<unknown>, operations: unknown, options: unknown) {
    if ((options as WithReason)?.allWorkspaces) return;
    for (const operation of operations as Record<string, Record<string, unknown>>[]) {
      for (const [kind, body] of Object.entries(operation))
        guardBulk(kind, body, `${this.modelName}.bulkWrite ${kind}`);
    }
  });
  schema.pre('save', function (this: Document) {
    if (!this.isNew && this.isModified(FIELD)) throw new TenantGuardError(`save may not change ${FIELD}`);
  });
}

function guardQueries(schema: Schema): void {
  schema.pre([...QUERIES], { document: false, query: true }, function (this: Query<unknown, unknown>) {
    if (this.getOptions().allWorkspaces) return;
    const what = getQueryName(this);
    requireWorkspace(this.getFilter(), what);
    refuseMove(this.getUpdate(), what);
  });
  schema.pre([...REPLACEMENTS], { document: false, query: true }, function (this: Query<unknown, unknown>) {
    throw new TenantGuardError(`${getQueryName(this)} would remove the record from its workspace; update it instead`);
  });
  schema.pre('estimatedDocumentCount', function (this: Query<unknown, unknown>) {
    if (!this.getOptions().allWorkspaces) throw new TenantGuardError(`${getQueryName(this)} counts every workspace`);
  });
}

function getQueryName(query: Query<unknown, unknown>): string {
  return `${query.model.modelName}.${String((query as { op?: string }).op)}`;
}

function guardBulk(kind: string, body: Record<string, unknown>, what: string): void {
  if (kind === 'replaceOne') throw new TenantGuardError(`${what} would remove the record from its workspace`);
  requireWorkspace(kind === 'insertOne' ? body['document'] : body['filter'], what);
  refuseMove(body['update'], what);
}

/** The first stage matches one workspace by its ObjectId (Mongoose casts nothing here), and no stage reads other collections. */
function requireOwnPipeline(stages: Record<string, unknown>[]): void {
  const match = stages[0]?.['$match'] as Record<string, unknown> | undefined;
  if (!isObjectId(match?.[FIELD])) {
    throw new TenantGuardError(
      `aggregate must begin with {$match: {${FIELD}: <ObjectId>}}, or have { allWorkspaces: 'reason' }`,
    );
  }
  const text = JSON.stringify(stages);
  const elsewhere = ELSEWHERE.find((stage) => text.includes(`"${stage}":`));
  if (elsewhere)
    throw new TenantGuardError(`aggregate leaves its workspace by ${elsewhere}; add { allWorkspaces: 'reason' }`);
}

/** The models of a connection whose records belong to a workspace. */
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

/** No form of update may move a record to another workspace. */
function refuseMove(update: unknown, what: string): void {
  if (update === null || typeof update !== 'object') return;
  for (const part of Array.isArray(update) ? (update as object[]) : [update]) {
    // `$setOnInsert` sets the workspace of a new record, and the filter names the same one.
    const { $setOnInsert: _insert, ...changes } = part as Record<string, unknown>;
    if (changesWorkspace(changes)) throw new TenantGuardError(`${what} may not change ${FIELD}`);
  }
}

/** Whether an update writes `workspaceId` or renames a field to it. */
function changesWorkspace(changes: Record<string, unknown>): boolean {
  return Object.entries(changes).some(([name, value]) => {
    if (name === FIELD || name === '$replaceWith' || name === '$replaceRoot') return true;
    if (name === '$rename')
      return Object.entries(value as object)
        .flat()
        .includes(FIELD);
    return name.startsWith('$') && typeof value === 'object' && value !== null && FIELD in value;
  });
}
