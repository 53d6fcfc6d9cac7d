import { type CrmField, type CrmFieldType } from '../port/crm-person';
import { type JsonRecord, toRecords, toText } from '../http/crm-response';

/** A custom field of the account: `custom.cf_…`. */
export const CUSTOM = /^custom\.(cf_[A-Za-z0-9]{1,80})$/;

/** Types of custom fields (https://developer.close.com/api/resources/custom-fields). */
const TYPES: Readonly<Record<string, CrmFieldType>> = {
  text: 'text',
  textarea: 'text',
  number: 'number',
  date: 'day',
  datetime: 'instant',
  choices: 'choice',
  user: 'reference',
  contact: 'reference',
};

/**
 * The fields of every contact. The API has one name field; it is split here because other CRMs have first and last names. Phones and URLs
 * are lists, of which the first entry is used. `lead_name` is the company name: a contact belongs to a lead, which is a company at Close.
 */
const COMMON: readonly CrmField[] = [
  createField('name', 'Name', 'text'),
  createField('first_name', 'First name', 'text'),
  createField('last_name', 'Last name', 'text'),
  createField('title', 'Title', 'text'),
  createField('phone', 'Phone', 'phone'),
  createField('url', 'URL', 'url'),
  createField('lead_name', 'Lead (company)', 'text', false),
];

const NAMES: ReadonlySet<string> = new Set(COMMON.map(({ name }) => name));

/** Fields that the contact API searches without a filter. */
export const SEARCHED: ReadonlySet<string> = new Set(['name', 'title']);

/** Whether the name has the form of a field; only the API knows whether the account has a custom one. */
export function isCloseField(name: string): boolean {
  return NAMES.has(name) || CUSTOM.test(name);
}

/** `GET /custom_field/contact/`. */
export function toCloseFields(customs: readonly JsonRecord[]): CrmField[] {
  const own = customs.flatMap((custom) => {
    const id = toText(custom['id']);
    if (id === null) return [];
    const known = TYPES[toText(custom['type']) ?? ''] ?? 'other';
    const type = known === 'choice' && custom['accepts_multiple_values'] === true ? 'choices' : known;
    return [
      {
        ...createField(`custom.${id}`, toText(custom['name']) ?? id, type, type !== 'other'),
        isCustom: true,
        options: type === 'choice' || type === 'choices' ? listOptions(custom['choices']) : null,
      },
    ];
  });
  return [...COMMON, ...own];
}

function listOptions(choices: unknown): string[] {
  const named = toRecords(choices).flatMap(({ label, name }) => toText(label) ?? toText(name) ?? []);
  return Array.isArray(choices) && named.length === 0 ? choices.flatMap((one) => toText(one) ?? []) : named;
}

function createField(name: string, label: string, type: CrmFieldType, isWritable = true): CrmField {
  return { name, label, type, isWritable, isCustom: false, options: null, maxLength: null };
}
