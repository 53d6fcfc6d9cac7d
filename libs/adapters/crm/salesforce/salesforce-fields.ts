import { type CrmField, type CrmFieldType } from '../port/crm-person';
import { type SoqlKind } from './soql';

/**
 * A field in the response of `GET /sobjects/Contact/describe` (REST API Developer Guide, "sObject Describe"); other properties are ignored.
 */
export interface DescribedField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly length?: number;
  readonly custom?: boolean;
  readonly createable?: boolean;
  readonly updateable?: boolean;
  readonly calculated?: boolean;
  readonly restrictedPicklist?: boolean;
  readonly picklistValues?: readonly { readonly value: string; readonly active: boolean }[];
}

/** Whether the entry is complete enough to be a field. */
export function isDescribed(entry: object): entry is DescribedField {
  const { name, label, type } = entry as Partial<Record<string, unknown>>;
  return typeof name === 'string' && typeof label === 'string' && typeof type === 'string';
}

/** Field types of the describe result (SOAP API Developer Guide, "Field Types"). Compound and binary ones are `other`. */
const TYPES: Readonly<Record<string, CrmFieldType>> = {
  string: 'text',
  textarea: 'text',
  encryptedstring: 'text',
  combobox: 'text',
  email: 'email',
  phone: 'phone',
  url: 'url',
  int: 'number',
  long: 'number',
  double: 'number',
  currency: 'number',
  percent: 'number',
  boolean: 'boolean',
  date: 'day',
  datetime: 'instant',
  picklist: 'choice',
  multipicklist: 'choices',
  reference: 'reference',
};

const KINDS: Readonly<Partial<Record<CrmFieldType, SoqlKind>>> = {
  number: 'number',
  boolean: 'boolean',
  day: 'day',
  instant: 'instant',
  choices: 'choices',
};

/**
 * Name of the account of a contact. It belongs to another object and is therefore read-only, but it is the field that users look for first.
 */
const ACCOUNT_NAME = 'Account.Name';

/** The fields of a contact in this organisation that the connected user may see. */
export function toSalesforceFields(described: readonly DescribedField[]): CrmField[] {
  const own = described.map(toSalesforceField);
  const hasAccount = own.some(({ name }) => name === 'AccountId');
  return hasAccount ? [...own, COMPANY] : own;
}

const COMPANY: CrmField = {
  name: ACCOUNT_NAME,
  label: 'Account Name',
  type: 'text',
  isWritable: false,
  isCustom: false,
  options: null,
  maxLength: null,
};

function toSalesforceField(field: DescribedField): CrmField {
  const type = TYPES[field.type] ?? 'other';
  const isText = type === 'text' || type === 'email' || type === 'phone' || type === 'url';
  return {
    name: field.name,
    label: field.label,
    type,
    isWritable: type !== 'other' && field.createable === true && field.updateable === true && field.calculated !== true,
    isCustom: field.custom === true,
    options: listOptions(field),
    maxLength: isText && field.length !== undefined && field.length > 0 ? field.length : null,
  };
}

/** An unrestricted picklist accepts any value, including unlisted ones. */
function listOptions({ restrictedPicklist, picklistValues }: DescribedField): string[] | null {
  if (restrictedPicklist !== true || picklistValues === undefined) return null;
  return picklistValues.filter(({ active }) => active).map(({ value }) => value);
}

/** The literal type of the field's values in a query. */
export function getSoqlKind({ type }: CrmField): SoqlKind {
  return KINDS[type] ?? 'text';
}
