export type AttioFilterBody = Readonly<Record<string, unknown>>;

/** Returns the plain value of an attribute of the current record. */
type Reading = (slug: string) => unknown;
type Test = (read: Reading) => boolean;

/** An attribute that people do not have. */
export class FilterFault extends Error {
  constructor(
    readonly path: readonly string[],
    readonly slug: string,
  ) {
    super(`Unknown attribute slug: ${slug}.`);
  }
}

const OPERATORS = new Set([
  '$eq',
  '$in',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$not_empty',
  '$contains',
  '$starts_with',
  '$ends_with',
]);
/** Only ordered values are compared by size (https://docs.attio.com/rest-api/guides/filtering-and-sorting). */
const SIZED = new Set(['number', 'date', 'timestamp', 'rating', 'currency']);

/** Query filters: `$and`, `$or` and `$not` over attributes, with the short form of equality or with operators. */
export class AttioFilter {
  /** @param types of attributes, by slug */
  constructor(private readonly types: ReadonlyMap<string, string>) {}

  test(filter: AttioFilterBody, path: readonly string[] = []): Test {
    const tests = Object.entries(filter).map(([name, condition]) => this.#one(name, condition, [...path, name]));
    return (read) => tests.every((holds) => holds(read));
  }

  #one(name: string, condition: unknown, path: readonly string[]): Test {
    if (name === '$and' || name === '$or') {
      const sides = (condition as AttioFilterBody[]).map((side, at) => this.test(side, [...path, String(at)]));
      return name === '$and' ? (read) => sides.every((side) => side(read)) : (read) => sides.some((side) => side(read));
    }
    if (name === '$not') {
      const holds = this.test(condition as AttioFilterBody, path);
      return (read) => !holds(read);
    }
    const type = this.types.get(name);
    if (type === undefined) throw new FilterFault(path, name);
    const matches = createMatcher(condition, type);
    return (read) => listValues(read(name)).some(matches);
  }
}

function createMatcher(condition: unknown, type: string): (value: unknown) => boolean {
  if (typeof condition !== 'object' || condition === null)
    return (value) => isSameValue(getMainValue(value), condition, type);
  const tests = Object.entries(condition).map(([name, wanted]) => {
    if (OPERATORS.has(name)) return createOperator(name, wanted, type);
    if (name === 'referenced_actor_type') return () => wanted === 'workspace-member';
    if (name === 'referenced_actor_id') return (value: unknown) => value === wanted;
    const inner = createMatcher(wanted, 'text');
    return (value: unknown) => inner((value as Record<string, unknown>)[name]);
  });
  return (value) => tests.every((holds) => holds(value));
}

function createOperator(name: string, wanted: unknown, type: string): (value: unknown) => boolean {
  if (name === '$eq') return (value) => isSameValue(getMainValue(value), wanted, type);
  if (name === '$in')
    return (value) => (wanted as unknown[]).some((one) => isSameValue(getMainValue(value), one, type));
  if (name === '$not_empty') return (value) => value !== null;
  if (!SIZED.has(type)) throw new FilterFault([name], name);
  const limit = wanted as string | number;
  const size = (value: unknown): string | number => value as string | number;
  if (name === '$gte') return (value) => size(value) >= limit;
  if (name === '$gt') return (value) => size(value) > limit;
  if (name === '$lte') return (value) => size(value) <= limit;
  if (name === '$lt') return (value) => size(value) < limit;
  throw new FilterFault([name], name);
}

/** Addresses are stored and compared in lower case; requested ones are not converted. */
function isSameValue(value: unknown, wanted: unknown, type: string): boolean {
  return type === 'email-address' && typeof value === 'string' ? value.toLowerCase() === wanted : value === wanted;
}

function getMainValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'full_name' in value ? value.full_name : value;
}

function listValues(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
