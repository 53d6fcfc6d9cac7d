import { type Field } from './contract';

/** A record with one violation. */
export interface Mutation {
  what: string;
  record: unknown;
}

type Fields = Record<string, unknown>;

/** A value of no type that a row may require. */
const OTHER = Symbol('of another type');

/**
 * The record with this field missing, null where it must not be, of another type, and with an unknown field beside it.
 */
export function listMutations(field: Field, record: unknown): Mutation[] {
  const { path, type, isNullable, isAddition } = field;
  const mutations = [changed(record, path, 'a stranger beside', (parent) => (parent['stranger'] = 1))];
  if (!isAddition) mutations.push(changed(record, path, 'without', (parent, name) => delete parent[name]));
  if (!isNullable) mutations.push(changed(record, path, 'null:', (parent, name) => (parent[name] = null)));
  if (type !== 'any')
    mutations.push(changed(record, path, 'of another type:', (parent, name) => (parent[name] = OTHER)));
  return mutations.flatMap((mutation) => mutation ?? []);
}

/** Null when the record has no such place, as an object on the way is null or a list empty. */
function changed(
  record: unknown,
  path: string,
  what: string,
  change: (parent: Fields, name: string) => void,
): Mutation | null {
  const copy = structuredClone(record);
  const steps = path.split('.');
  const name = steps.pop() ?? '';
  let parent: unknown = copy;
  for (const step of steps) {
    if (typeof parent !== 'object' || parent === null) return null;
    const [only] = Object.values(parent);
    const inner = step === '*' ? (only as unknown) : (parent as Fields)[step.replace('[]', '')];
    parent = step.endsWith('[]') && Array.isArray(inner) ? (inner[0] as unknown) : inner;
  }
  if (typeof parent !== 'object' || parent === null) return null;
  change(parent as Fields, name);
  return { what: `${what} ${path}`, record: copy };
}
