import { mongo, MongooseError } from 'mongoose';

const DUPLICATE_KEY = 11000;

/** Whether a unique index refused the write; with `field`, only if that field is part of the index. */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  if (!(error instanceof mongo.MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  if (field === undefined) return true;
  const pattern = (error as { keyPattern?: Record<string, unknown> }).keyPattern;
  return pattern === undefined ? error.message.includes(field) : field in pattern;
}

const UNAVAILABLE = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoWriteConcernError,
  mongo.MongoOperationTimeoutError,
] as const;

/** Whether the failure means that no server could be reached, as opposed to a refused operation. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (UNAVAILABLE.some((kind) => error instanceof kind)) return true;
  if (error instanceof mongo.MongoError && isPassing(error)) return true;
  // With command buffering off, Mongoose itself refuses commands before the first connection.
  return error instanceof MongooseError && /initial connection is complete|buffering timed out/.test(error.message);
}

/**
 * Whether a transaction that failed with this error may still be committed: the server did not answer its commit. The driver
 * labels the error (`UnknownTransactionCommitResult`) only while it still reaches a server.
 */
export function mayBeCommitted(error: unknown): boolean {
  const label = mongo.MongoErrorLabel.UnknownTransactionCommitResult;
  return (error instanceof mongo.MongoError && error.hasErrorLabel(label)) || isDatabaseUnavailable(error);
}

/** No connection was free, or the retries of a write or transaction failed: an election or an overload. */
function isPassing(error: mongo.MongoError): boolean {
  return (
    error.name.startsWith('MongoWaitQueueTimeout') ||
    error.hasErrorLabel('RetryableWriteError') ||
    error.hasErrorLabel('TransientTransactionError')
  );
}

/** A programming error: a query on a workspace's records that does not say which workspace. */
export class TenantGuardError extends Error {
  override readonly name = 'TenantGuardError';
}
