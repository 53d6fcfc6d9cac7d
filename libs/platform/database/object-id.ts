import { Types } from 'mongoose';

/** The id, or null when the text is not 24 hexadecimal digits: a malformed id is treated as an unknown one. */
export function parseId(text: string): Types.ObjectId | null {
  return /^[0-9a-f]{24}$/i.test(text) ? new Types.ObjectId(text) : null;
}
