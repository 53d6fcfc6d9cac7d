import { type Types } from 'mongoose';

/** A person as one workspace knows it. */
export interface Subject {
  readonly workspaceId: Types.ObjectId;
  /** In its normal form. */
  readonly address: string;
  readonly leadIds: readonly Types.ObjectId[];
  readonly sendIds: readonly Types.ObjectId[];
  readonly conversationIds: readonly Types.ObjectId[];
}

/** What stands where the address stood. */
export const ERASED = '[erased]';

/** Finds texts in the database that may have the address: whoever reads them looks closer (`mentions`). */
export function mentionPattern(address: string): RegExp {
  return new RegExp(escaped(address), 'i');
}

/** Finds the address as a whole field, in any case. */
export function exactPattern(address: string): RegExp {
  return new RegExp(`^${escaped(address)}$`, 'i');
}

/** Whether a text has this very address, and not one that only ends or begins like it. */
export function mentions(text: string, address: string): boolean {
  return boundedPattern(address).test(text);
}

/** The value with every mention of the address taken out of its texts, however deep; the same value when there is none. */
export function withoutAddress<T>(value: T, address: string): T {
  return without(value, boundedPattern(address)) as T;
}

function boundedPattern(address: string): RegExp {
  return new RegExp(`(?<![\\w!#$%&'*+/=?^\`{|}~.-])${escaped(address)}(?![\\w-]|\\.\\w)`, 'gi');
}

function escaped(text: string): string {
  return text.replace(/[^\w@]/g, '\\$&');
}

function without(value: unknown, pattern: RegExp): unknown {
  if (typeof value === 'string') return value.replace(pattern, ERASED);
  if (Array.isArray(value)) {
    const list: unknown[] = value.map((one) => without(one, pattern));
    return list.some((one, at) => one !== value[at]) ? list : value;
  }
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, without(one, pattern)] as const);
  return entries.some(([name, one]) => one !== value[name]) ? Object.fromEntries(entries) : value;
}

/** Ids and dates are objects, too, and hold no address. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
