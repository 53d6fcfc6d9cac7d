import { type Field, listFields, type Shape } from './contract';

type Fields = Readonly<Record<string, unknown>>;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The types by their names in the contract. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  'any object': isObject,
  object: isObject,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  timestamp: (value) => typeof value === 'string' && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)),
  'HH:MM': (value) => typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
  timezone: (value) => typeof value === 'string' && Intl.supportedValuesOf('timeZone').concat('UTC').includes(value),
  email: (value) => typeof value === 'string' && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value),
};
const LIST = 'array of ';

/** The values of a record at one row: none for a part that is null or an empty list; undefined for a missing field. */
export function valuesAt(record: unknown, path: string): unknown[] {
  return path.split('.').reduce<unknown[]>(
    (parents, step) => {
      const name = step.replace('[]', '');
      const values = parents
        .filter(isObject)
        .flatMap((parent) => (name === '*' ? Object.values(parent) : [parent[name]]));
      return step.endsWith('[]')
        ? values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : []))
        : values;
    },
    [record],
  );
}

/** Violations of a shape by a record: missing, null, mistyped and unknown fields. */
export class ShapeCheck {
  readonly fields: readonly Field[];

  /** @param form the form of the record, where the contract has several */
  constructor(
    private readonly shape: Shape,
    form?: string,
  ) {
    this.fields = listFields(shape).filter(({ only }) => only === undefined || only === form);
  }

  violations(record: unknown): string[] {
    return [...this.fields.flatMap((field) => this.ofField(field, record)), ...this.strangers(record)];
  }

  ofField(field: Field, record: unknown): string[] {
    const wrong = valuesAt(record, field.path).filter((value) => !this.#fits(field, value));
    return wrong.map((value) => `${field.path} is ${JSON.stringify(value) ?? 'missing'} and not ${field.rule}`);
  }

  /** Fields that no row names. */
  strangers(record: unknown): string[] {
    const known = this.fields.map(({ path, type }) => toPattern(path, type.includes('any')));
    return [...new Set(listPaths(record))]
      .filter((path) => !known.some((pattern) => pattern.test(path)))
      .map((path) => `${path} is no field of it`);
  }

  #fits({ path, type, isNullable, isAddition }: Field, value: unknown): boolean {
    if (isAddition && value === undefined) return true;
    if (value === null) return isNullable;
    const pattern = this.shape.patterns?.[path];
    if (pattern !== undefined) return typeof value === 'string' && new RegExp(pattern).test(value);
    if (!type.startsWith(LIST)) return is(type, value);
    return Array.isArray(value) && value.every((item) => is(type.slice(LIST.length), item));
  }
}

function is(type: string, value: unknown): boolean {
  const test = TYPES[type];
  if (!test) throw new Error(`The contract knows no type called ${type}`);
  return value !== undefined && test(value);
}

/** Matches the paths of a row; where the contract is open, also paths below it. */
function toPattern(path: string, isOpen: boolean): RegExp {
  const literal = path.replaceAll(/[.[\]]/g, String.raw`\$&`).replaceAll('*', '[^.]+');
  return new RegExp(isOpen ? `^${literal}($|[.[])` : `^${literal}$`);
}

/** Every field of a record by its path, in the notation of the rows. */
function listPaths(value: unknown, base = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => (isObject(item) ? listPaths(item, `${base}[]`) : []));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = base === '' ? name : `${base}.${name}`;
    return [path, ...listPaths(inner, path)];
  });
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
