import { createCall } from './call.ts';
import type { OutreachOptions } from './call-types.ts';
import { operations } from './generated/operations.gen.ts';

/** Every operation of the API, in groups. */
export interface Outreach extends ReturnType<typeof operations> {}

/** A client of one platform with one key. It keeps no connection open and needs no closing. */
export function createOutreach(options: OutreachOptions): Outreach {
  return operations(createCall(options));
}
