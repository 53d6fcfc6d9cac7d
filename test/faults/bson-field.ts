import { mongo } from 'mongoose';

/**
 * The bytes of one field as in a command to MongoDB, for {@link FaultProxy.at}. A misspelt or renamed field would
 * wait for a message that never comes, so pass names and values of the record’s type.
 */
export function bsonField<T extends object = Record<string, string>>(field: {
  [K in keyof T]?: T[K] & string;
}): string {
  // The length of the document and the type of the field come first, the end of the document comes last.
  return Buffer.from(mongo.BSON.serialize(field)).subarray(5, -1).toString('latin1');
}
