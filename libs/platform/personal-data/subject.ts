import { type Types } from 'mongoose';
import { ERASED } from './erased';

/** A person as known to one workspace. */
export interface Subject {
  readonly workspaceId: Types.ObjectId;
  /** The normalised address. */
  readonly address: string;
  readonly leadIds: readonly Types.ObjectId[];
  readonly sendIds: readonly Types.ObjectId[];
  readonly conversationIds: readonly Types.ObjectId[];
}

/** Finds texts that may contain the address; `hasMention` decides. */
export function createMentionPattern(address: string): RegExp {
  return new RegExp(escapePattern(address), 'i');
}

/** Finds a field that equals the address, in any case. */
export function createExactPattern(address: string): RegExp {
  return new RegExp(`^${escapePattern(address)}$`, 'i');
}

/** Whether a text contains exactly this address, and not a longer one that contains it. */
export function hasMention(text: string, address: string): boolean {
  return createBoundedPattern(address).test(text);
}

/** The value without the address in any of its texts, at any depth; the same object if there is no mention. */
export function removeAddress<T>(value: T, address: string): T {
  return removeFrom(value, createBoundedPattern(address)) as T;
}

/** Whether a value is the address, as a mail header spells it. */
export function isSubjectAddress(value: unknown, address: string): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === address;
}

function createBoundedPattern(address: string): RegExp {
  return new RegExp(`(?<![\\w!#$%&'*+/=?^\`{|}~.-])${escapePattern(address)}(?![\\w-]|\\.\\w)`, 'gi');
}

function escapePattern(text: string): string {
  return text.replace(/[^\w@]/g, '\\$&');
}

function removeFrom(value: unknown, pattern: RegExp): unknown {
  if (typeof value === 'string') return value.replace(pattern, ERASED);
  if (Array.isArray(value)) {
    const list: unknown[] = value.map((one) => removeFrom(one, pattern));
    return list.some((one, at) => one !== value[at]) ? list : value;
  }
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, removeFrom(one, pattern)] as const);
  return entries.some(([name, one]) => one !== value[name]) ? Object.fromEntries(entries) : value;
}

/** Ids and dates are objects too and contain no address. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
