import { mongo } from 'mongoose';

/**
 * The bytes of one field as a command to MongoDB carries them, for {@link FaultProxy.at}: a misspelt or renamed field would wait
 * for a message that never comes, so pass the names and values of the record's type.
 */
export function bsonField<T extends object = Record<string, string>>(field: {
  [K in keyof T]?: T[K] & string;
}): string {
  // The length of the document and the type of the field come first, the end of the document last.
  return Buffer.from(mongo.BSON.serialize(field)).subarray(5, -1).toString('latin1');
}
