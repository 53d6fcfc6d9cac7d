import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The content of contract.json, field by field; its rows equal the tables of the contract. */
export interface Shape {
  lines: string;
  decided?: string;
  fields: Readonly<Record<string, string>>;
  /** Why a field is null although the contract does not allow it. */
  mayBeNull?: Readonly<Record<string, string>>;
  /** Fields that the contract does not have: their meaning and reason. */
  additions?: Readonly<Record<string, string>>;
  patterns?: Readonly<Record<string, string>>;
}

export interface ErrorRow {
  when: string;
  lines?: string;
  decided?: true;
  form: 'A' | 'B';
  status: number;
  /** Form A. */
  error?: string;
  /** Form B. */
  code?: string;
  /** Is in the message. */
  message: string;
}

export interface NumberRule {
  min: number;
  max?: number;
  default: number;
}

export interface BodyRule {
  type: 'string' | 'boolean' | 'array' | 'object';
  required?: true;
  trimmed?: true;
  minLength?: number;
  oneOf?: readonly string[];
  onlyWith?: Readonly<Record<string, unknown>>;
}

export interface Endpoint {
  section: string;
  /** Method and path, as the contract writes them. */
  endpoint: string;
  lines: string;
  bearer?: true;
  newestFirst?: true;
  /** The rule as a sentence. */
  rules?: readonly string[];
  query?: { cursor?: string; limit?: NumberRule; page?: NumberRule; search?: readonly string[] };
  body?: Readonly<Record<string, BodyRule>>;
  /** Names that are not fields of the body. */
  noFields?: readonly string[];
  answer: {
    status: number;
    data: 'object' | 'array' | 'file';
    shape?: string;
    form?: string;
    pagination?: 'cursor' | 'page';
    headers?: readonly string[];
  };
  errors?: readonly ErrorRow[];
}

export interface LeadActionRow {
  state: 'active' | 'paused';
  hasEmailHistory?: boolean;
  action: string;
  modified: number;
  next: string;
}

interface Contract {
  pagination: Readonly<Record<'cursor' | 'page', Shape>>;
  shapes: Readonly<Record<string, Shape>>;
  leadActions: { rows: readonly LeadActionRow[] };
  endpoints: readonly Endpoint[];
  authentication: { refused: Omit<ErrorRow, 'when'>; prefixes: Readonly<Record<'platform' | 'workspace', string>> };
  events: { names: readonly string[] };
  errors: Readonly<Record<'A' | 'B', Shape>>;
}

export const CONTRACT = JSON.parse(readFileSync(join(__dirname, 'contract.json'), 'utf8')) as Contract;

/** A row of a shape. */
export interface Field {
  path: string;
  /** As written in the contract. */
  rule: string;
  type: string;
  isNullable: boolean;
  /** Values that the contract shows; empty if it shows none. */
  seen: readonly string[];
  /** The only form of the record that has it; undefined: all. */
  only: string | undefined;
  isAddition: boolean;
}

const RULE = /^(?<type>[^=,]+?)(?<nullable> or null)?(?: = (?<seen>[^,]+))?(?:, (?<only>\w+) only)?$/;

/** The rows of a shape with the additions of the design. @throws Error for a row that cannot be parsed */
export function listFields(shape: Shape): Field[] {
  const { fields, mayBeNull = {}, additions = {} } = shape;
  const documented = Object.entries(fields).map(([path, rule]) => parseField(path, rule));
  const added = Object.entries(additions).map(([path, rule]) => parseField(path, rule.split(':')[0] ?? ''));
  return [
    ...documented.map((field) => ({ ...field, isNullable: field.isNullable || field.path in mayBeNull })),
    ...added.map((field) => ({ ...field, isNullable: true, isAddition: true })),
  ];
}

function parseField(path: string, rule: string): Field {
  const { type, nullable, seen, only } = RULE.exec(rule)?.groups ?? {};
  if (type === undefined) throw new Error(`${path}: "${rule}" is no rule for a field`);
  return {
    path,
    rule,
    type,
    isNullable: nullable !== undefined,
    seen: seen?.split(' | ') ?? [],
    only,
    isAddition: false,
  };
}
