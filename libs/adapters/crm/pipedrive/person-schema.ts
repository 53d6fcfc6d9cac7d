import { type CrmField, type CrmFieldType } from '../port/crm-person';

/** A field in the response of `GET /api/v2/personFields` (API Reference, "Get all person fields"). */
export interface ListedField {
  readonly field_code: string;
  readonly field_name: string;
  readonly field_type: string;
  readonly is_custom_field: boolean;
  readonly options?: readonly { readonly id: number | string; readonly label: string }[] | null;
}

/** Whether the entry is complete enough to be a field. */
export function isListed(entry: object): entry is ListedField {
  const { field_code: code, field_name: name, field_type: type, options } = entry as Partial<Record<string, unknown>>;
  const isNamed = typeof code === 'string' && typeof name === 'string' && typeof type === 'string';
  return isNamed && (options === undefined || options === null || Array.isArray(options));
}

/** A field of people with the metadata for reads and writes. */
export interface PersonField extends CrmField {
  /** The type name of Pipedrive. */
  readonly kind: string;
  /** Option ids by label; empty without options. */
  readonly ids: ReadonlyMap<string, number | string>;
}

interface Kind {
  readonly type: CrmFieldType;
  readonly isWritable: boolean;
  readonly maxLength?: number;
}

/**
 * Types of custom fields (pipedrive.readme.io/docs/core-api-concepts-custom-fields). An amount needs a currency, a range two ends and a
 * time a zone, which one value cannot express: those are read-only. A type that is missing here is `other` and not written.
 */
const KINDS: Readonly<Record<string, Kind>> = {
  varchar: { type: 'text', isWritable: true, maxLength: 255 },
  varchar_auto: { type: 'text', isWritable: true, maxLength: 255 },
  text: { type: 'text', isWritable: true, maxLength: 65_000 },
  address: { type: 'text', isWritable: true },
  phone: { type: 'phone', isWritable: true },
  int: { type: 'number', isWritable: true },
  double: { type: 'number', isWritable: true },
  monetary: { type: 'number', isWritable: false },
  date: { type: 'day', isWritable: true },
  daterange: { type: 'text', isWritable: false },
  time: { type: 'text', isWritable: false },
  timerange: { type: 'text', isWritable: false },
  enum: { type: 'choice', isWritable: true },
  set: { type: 'choices', isWritable: true },
  user: { type: 'reference', isWritable: true },
  org: { type: 'reference', isWritable: true },
  people: { type: 'reference', isWritable: true },
};

const OTHER: Kind = { type: 'other', isWritable: false };

/**
 * The standard fields, by the names of API v2. In the API the full name is writable and its two parts are read-only; writing a part here
 * writes the full name. `phones` is the main number; `org_name` is the name of the organisation, of which a person stores only the id.
 */
const COMMON: readonly PersonField[] = [
  createCommonField('name', 'Name', 'varchar'),
  createCommonField('first_name', 'First name', 'varchar'),
  createCommonField('last_name', 'Last name', 'varchar'),
  createCommonField('phones', 'Phone', 'phone'),
  createCommonField('org_id', 'Organization', 'org'),
  { ...createCommonField('org_name', 'Organization name', 'varchar'), isWritable: false },
];

/** Listed only when the account has them: the fields of the contact sync and of the Campaigns product. */
const SOMETIMES: ReadonlyMap<string, string> = new Map([
  ['job_title', 'varchar'],
  ['birthday', 'date'],
  ['notes', 'text'],
  ['marketing_status', 'status'],
]);

/** Whether a person accepts marketing mail (pipedrive.readme.io/docs/campaigns-in-pipedrive-api). */
export const MARKETING_STATUS = 'marketing_status';
const MARKETING_STATUSES = ['no_consent', 'unsubscribed', 'subscribed', 'archived'] as const;

/** The person fields of one account. */
export class PersonSchema {
  readonly #fields: ReadonlyMap<string, PersonField>;

  constructor(listed: readonly ListedField[]) {
    const fields = [...COMMON, ...listed.flatMap((field) => toPipedriveField(field) ?? [])];
    this.#fields = new Map(fields.map((field) => [field.name, field]));
  }

  get all(): CrmField[] {
    return [...this.#fields.values()].map(({ kind: _kind, ids: _ids, ...field }) => field);
  }

  get(name: string): PersonField | null {
    return this.#fields.get(name) ?? null;
  }

  get hasMarketing(): boolean {
    return this.#fields.has(MARKETING_STATUS);
  }
}

function toPipedriveField(listed: ListedField): PersonField | null {
  const { field_code: name, field_name: label, is_custom_field: isCustom } = listed;
  if (name === MARKETING_STATUS)
    return {
      ...createCommonField(name, label, 'status'),
      type: 'choice',
      isWritable: true,
      options: MARKETING_STATUSES,
    };
  const kind = isCustom ? listed.field_type : SOMETIMES.get(name);
  if (kind === undefined) return null;
  const hasOptions = kind === 'enum' || kind === 'set';
  const ids = new Map(hasOptions ? (listed.options ?? []).map((option) => [option.label, option.id]) : []);
  return { ...createCommonField(name, label, kind), isCustom, options: hasOptions ? [...ids.keys()] : null, ids };
}

function createCommonField(name: string, label: string, kind: string): PersonField {
  const { type, isWritable, maxLength = null } = KINDS[kind] ?? OTHER;
  return { name, label, type, isWritable, isCustom: false, options: null, maxLength, kind, ids: new Map() };
}
