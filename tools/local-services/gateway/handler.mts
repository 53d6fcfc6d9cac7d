import type { Document } from 'bson';
import type { Call } from './call.mts';
import type { Cursors } from './cursors.mts';

/** An SQL statement and its rows. */
export type Query = (text: string, values: unknown[]) => Promise<unknown[][]>;

/** The input of a command handler. */
export interface Context {
  /** On the connection of the command's transaction, or on any. */
  query: (text: string, values?: unknown[]) => Promise<unknown[][]>;
  /** On any connection, outside every transaction: for queries of the gateway itself. */
  lookUp: Query;
  cursors: Cursors;
}

/** Encoded BSON, or a document to encode. */
export type Reply = Document | Buffer;

export type Handler = (call: Call, context: Context) => Promise<Reply>;
