import { type StoredPerson } from './crm-store';

/** A field in the API's list. */
export interface PersonFieldEntry {
  readonly field_code: string;
  readonly field_name: string;
  readonly field_type: string;
  readonly is_custom_field: boolean;
  readonly options: readonly { readonly id: number | string; readonly label: string }[] | null;
}

export type Body = Readonly<Record<string, unknown>>;

/** Custom fields of the local company: keys are forty hexadecimal digits. */
export const PIPEDRIVE_KEYS = {
  text: '1'.repeat(40),
  number: '2'.repeat(40),
  choice: '3'.repeat(40),
  choices: '4'.repeat(40),
  day: '5'.repeat(40),
  amount: '6'.repeat(40),
  address: '7'.repeat(40),
} as const;

const OPTIONS = [
  { id: 31, label: 'New' },
  { id: 32, label: 'Replied' },
];

function entry(
  code: string,
  name: string,
  type: string,
  options: PersonFieldEntry['options'] = null,
): PersonFieldEntry {
  return {
    field_code: code,
    field_name: name,
    field_type: type,
    is_custom_field: /^[0-9a-f]{40}$/.test(code),
    options,
  };
}

export const PERSON_FIELDS: readonly PersonFieldEntry[] = [
  entry('name', 'Name', 'varchar'),
  entry('owner_id', 'Owner', 'user'),
  entry('job_title', 'Job title', 'varchar'),
  entry(PIPEDRIVE_KEYS.text, 'Nickname', 'varchar'),
  entry(PIPEDRIVE_KEYS.number, 'Score', 'double'),
  entry(PIPEDRIVE_KEYS.choice, 'Stage', 'enum', OPTIONS),
  entry(PIPEDRIVE_KEYS.choices, 'Topics', 'set', [
    { id: 41, label: 'Sales' },
    { id: 42, label: 'Support' },
  ]),
  entry(PIPEDRIVE_KEYS.day, 'Met on', 'date'),
  entry(PIPEDRIVE_KEYS.amount, 'Budget', 'monetary'),
  entry(PIPEDRIVE_KEYS.address, 'Home', 'address'),
];

export const MARKETING_FIELD = entry('marketing_status', 'Marketing status', 'status', [
  { id: 'subscribed', label: 'Subscribed' },
  { id: 'unsubscribed', label: 'Unsubscribed' },
]);

const WRITABLE: ReadonlySet<string> = new Set([
  'name',
  'owner_id',
  'org_id',
  'emails',
  'phones',
  'job_title',
  'marketing_status',
  'custom_fields',
]);

/** The fault of a request (`Validation failed: …`); null without one. */
export function findFault(body: Body, owners: readonly number[]): string | null {
  for (const [name, value] of Object.entries(body)) {
    if (!WRITABLE.has(name)) return `${name}: Parameter '${name}' is not allowed for this request`;
    const wrong = findValueFault(name, value, owners);
    if (wrong !== null) return `${name}: ${wrong}`;
  }
  const custom = (body['custom_fields'] ?? {}) as Body;
  for (const [key, value] of Object.entries(custom)) {
    const field = PERSON_FIELDS.find((one) => one.field_code === key);
    if (!field) return `custom_fields.${key}: Parameter 'custom_fields.${key}' is not allowed for this request`;
    if (value !== null && !isOf(field, value))
      return `custom_fields.${key}: Expected a value of type ${field.field_type}`;
  }
  return null;
}

function findValueFault(name: string, value: unknown, owners: readonly number[]): string | null {
  if (name === 'name')
    return typeof value === 'string' && value !== '' && value.length <= 255 ? null : 'Expected a name';
  if (name === 'owner_id') return owners.includes(value as number) ? null : 'Expected the id of a user';
  if (name === 'emails' || name === 'phones') {
    const isList = Array.isArray(value) && value.every((one: unknown) => typeof (one as Body)['value'] === 'string');
    return isList ? null : 'Expected a list';
  }
  return null;
}

function isOf({ field_type: type, options }: PersonFieldEntry, value: unknown): boolean {
  const isOption = (id: unknown): boolean => (options ?? []).some((option) => option.id === id);
  switch (type) {
    case 'double':
      return typeof value === 'number';
    case 'enum':
      return isOption(value);
    case 'set':
      return Array.isArray(value) && value.length > 0 && value.every(isOption);
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
    case 'address':
    case 'monetary':
      return typeof value === 'object';
    default:
      return typeof value === 'string' && value.length <= 255;
  }
}

/** A person of API v2. */
export function personEntry(person: StoredPerson, keys: readonly string[] | null, hasMarketing: boolean): Body {
  const { fields } = person;
  const custom = PERSON_FIELDS.filter((one) => one.is_custom_field && (keys === null || keys.includes(one.field_code)));
  return {
    id: Number(person.id),
    name: [fields['first_name'], fields['last_name']].filter(Boolean).join(' '),
    first_name: fields['first_name'] ?? null,
    last_name: fields['last_name'] ?? null,
    owner_id: person.ownerId === null ? null : Number(person.ownerId),
    org_id: fields['org_id'] ?? null,
    add_time: person.createdAt.toISOString(),
    update_time: person.updatedAt.toISOString(),
    emails: person.emails.map((value, place) => ({ value, primary: place === 0, label: 'work' })),
    phones: fields['phones'] ?? [],
    is_deleted: false,
    job_title: fields['job_title'] ?? null,
    ...(hasMarketing && { marketing_status: person.isOptedOut ? 'unsubscribed' : 'no_consent' }),
    custom_fields: Object.fromEntries(custom.map(({ field_code: key }) => [key, fields[key] ?? null])),
  };
}

/** The changes of a request for the store: Pipedrive splits the name into two parts, and lists are replaced. */
export function getChanges(body: Body) {
  const { name, owner_id: ownerId, emails, marketing_status: status, custom_fields: custom, ...others } = body;
  const [first = '', ...rest] = typeof name === 'string' ? name.split(' ') : [];
  const parts = name === undefined ? {} : { first_name: first, last_name: rest.join(' ') || null };
  return {
    fields: { ...others, ...parts, ...(custom as Body | undefined) },
    ...(Array.isArray(emails) && { emails: emails.map((one: Body) => one['value'] as string) }),
    ...(typeof ownerId === 'number' && { ownerId: String(ownerId) }),
    ...(status !== undefined && { isOptedOut: status === 'unsubscribed' }),
  };
}
