import type { Document } from 'bson';

/** SQLSTATE of DocumentDB or PostgreSQL -> MongoDB error code and name (those that a driver or ODM acts on). */
const ERROR_CODES: Record<string, [number, string]> = {
  M0001: [2, 'BadValue'],
  M0003: [9, 'FailedToParse'],
  M0004: [14, 'TypeMismatch'],
  M0006: [20, 'IllegalOperation'],
  M0008: [26, 'NamespaceNotFound'],
  M0009: [27, 'IndexNotFound'],
  M000A: [28, 'PathNotViable'],
  M000D: [40, 'ConflictingUpdateOperators'],
  M000E: [43, 'CursorNotFound'],
  M000F: [48, 'NamespaceExists'],
  M000G: [52, 'DollarPrefixedFieldName'],
  M000M: [66, 'ImmutableField'],
  M000N: [67, 'CannotCreateIndex'],
  M000O: [68, 'IndexAlreadyExists'],
  M000P: [72, 'InvalidOptions'],
  M000Q: [73, 'InvalidNamespace'],
  M000R: [85, 'IndexOptionsConflict'],
  M000S: [86, 'IndexKeySpecsConflict'],
  M000U: [115, 'CommandNotSupported'],
  M001B: [10334, 'BSONObjectTooLarge'],
  M001C: [11000, 'DuplicateKey'],
  M00CO: [121, 'DocumentFailedValidation'],
  M00EX: [50, 'MaxTimeMSExpired'],
  M00F1: [112, 'WriteConflict'],
  M00F6: [251, 'NoSuchTransaction'],
  '23505': [11000, 'DuplicateKey'],
  '23P01': [11000, 'DuplicateKey'],
  '25P02': [251, 'NoSuchTransaction'],
  '40001': [112, 'WriteConflict'],
  '40P01': [112, 'WriteConflict'],
  '42P01': [26, 'NamespaceNotFound'],
  '54000': [10334, 'BSONObjectTooLarge'],
  '55P03': [24, 'LockTimeout'],
  '57014': [50, 'MaxTimeMSExpired'],
  '57P01': [91, 'ShutdownInProgress'],
  '57P02': [91, 'ShutdownInProgress'],
  '57P03': [91, 'ShutdownInProgress'],
  '53300': [91, 'ShutdownInProgress'],
  ECONNREFUSED: [91, 'ShutdownInProgress'],
  ECONNRESET: [91, 'ShutdownInProgress'],
  EPIPE: [91, 'ShutdownInProgress'],
};

export const WRITE_CONFLICT = 112;
export const DUPLICATE_KEY = 11000;
const SHUTDOWN = 91;
const LOCK_TIMEOUT = 24;

export const isConflictCode = (code: number): boolean => code === WRITE_CONFLICT || code === LOCK_TIMEOUT;

/**
 * When an update finds that another one has just changed its document, PostgreSQL evaluates the document again, and
 * DocumentDB has lost the value of $$NOW there. The statement is rolled back: it is an ordinary conflict.
 */
export const isForgottenNow = (message: string): boolean =>
  message.includes('$$NOW operator cannot be used within this specific context');

/** Already in MongoDB's wording. */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: string;
  constructor(code: number, codeName: string, message: string) {
    super(message);
    this.name = 'CommandError';
    this.code = code;
    this.codeName = codeName;
  }
}

export const noSuchTransaction = (): CommandError =>
  new CommandError(251, 'NoSuchTransaction', 'Given transaction number does not match any in-progress transactions.');

export interface MongoError {
  code: number;
  codeName: string;
  errmsg: string;
}

export function describeError(error: unknown): MongoError {
  if (error instanceof CommandError) return { code: error.code, codeName: error.codeName, errmsg: error.message };
  const { code: state, message } = error as { code?: string; message: string };
  // pg reports a broken connection without a code.
  const lost = state === undefined && /connection terminated|timeout exceeded when trying to connect/i.test(message);
  return fromSqlState(lost ? 'ECONNRESET' : (state ?? ''), message);
}

export function fromSqlState(state: string, message: string): MongoError {
  const [code, codeName] = ERROR_CODES[state] ?? [8, 'UnknownError'];
  return { code, codeName, errmsg: code === DUPLICATE_KEY ? duplicateKeyMessage(message) : message };
}

const duplicateKeyMessage = (message: string): string =>
  message.startsWith('E11000') ? message : `E11000 duplicate key error: ${message}`;

/** The whole reply, with the labels by which drivers decide about retrying. */
export function errorReply(error: MongoError, inTransaction: boolean, retryableWrite: boolean): Document {
  const labels: string[] = [];
  const conflict = isConflictCode(error.code);
  if (inTransaction && (conflict || error.code === 251 || error.code === SHUTDOWN))
    labels.push('TransientTransactionError');
  if (retryableWrite && !inTransaction && error.code === SHUTDOWN) labels.push('RetryableWriteError');
  // A lock timeout means that another transaction writes the same document: MongoDB's WriteConflict.
  const shown = inTransaction && conflict ? { ...error, code: WRITE_CONFLICT, codeName: 'WriteConflict' } : error;
  return { ok: 0, ...shown, ...(labels.length > 0 && { errorLabels: labels }) };
}

/**
 * PostgreSQL packs an SQLSTATE into an integer, six bits a character; DocumentDB writes that to writeErrors when it
 * has no MongoDB code. Codes of MongoDB are smaller than any packed one.
 */
export function unpackSqlState(packed: number): string | undefined {
  if (!(packed >= 1 << 24)) return undefined;
  let state = '';
  for (let i = 0; i < 5; i++) state += String.fromCharCode(((packed >> (6 * i)) & 0x3f) + 0x30);
  return state;
}
