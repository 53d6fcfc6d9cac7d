import { Types } from 'mongoose';

/** Returns the id, or null unless the text is 24 hexadecimal digits: a malformed id counts as unknown. */
export function parseId(text: string): Types.ObjectId | null {
  return /^[0-9a-f]{24}$/i.test(text) ? new Types.ObjectId(text) : null;
}
