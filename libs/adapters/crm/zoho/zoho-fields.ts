import { type CrmField, type CrmFieldType } from '../port/crm-person';
import { toRecords } from '../http/crm-response';

/** The used properties of a field in `GET settings/fields` (https://www.zoho.com/crm/developer/docs/api/v8/field-meta.html). */
export interface ZohoField {
  readonly api_name: string;
  readonly field_label?: string;
  readonly display_label?: string;
  readonly data_type: string;
  readonly custom_field?: boolean;
  readonly read_only?: boolean;
  readonly operation_type?: { readonly api_update?: boolean };
  readonly length?: number;
  readonly pick_list_values?: readonly { readonly actual_value?: string }[];
}

const TYPES: Readonly<Record<string, CrmFieldType>> = {
  text: 'text',
  textarea: 'text',
  richtextarea: 'text',
  email: 'email',
  phone: 'phone',
  website: 'url',
  picklist: 'choice',
  multiselectpicklist: 'choices',
  boolean: 'boolean',
  integer: 'number',
  bigint: 'number',
  double: 'number',
  decimal: 'number',
  currency: 'number',
  percent: 'number',
  date: 'day',
  datetime: 'instant',
  lookup: 'reference',
  ownerlookup: 'reference',
  userlookup: 'reference',
};

/** Skips entries that are not fields; a list without any field is not an answer of Zoho. */
export function listZohoFields(list: unknown): ZohoField[] {
  return toRecords(list).filter(
    (field): field is ZohoField & typeof field =>
      typeof field['api_name'] === 'string' && typeof field['data_type'] === 'string',
  );
}

/** The company name: the name of the account, read through the lookup and changed only in the account. */
const ACCOUNT_NAME = 'Account_Name.Account_Name';

/** The person fields; an account lookup is followed by the account's name. */
export function toZohoFields(fields: readonly ZohoField[]): CrmField[] {
  return fields.flatMap((field) => {
    const known = toZohoField(field);
    return field.api_name === 'Account_Name' && known.type === 'reference'
      ? [known, { ...known, name: ACCOUNT_NAME, type: 'text' as const, isWritable: false }]
      : [known];
  });
}

function toZohoField(field: ZohoField): CrmField {
  const type = TYPES[field.data_type] ?? 'other';
  const isChoice = type === 'choice' || type === 'choices';
  return {
    name: field.api_name,
    label: field.display_label ?? field.field_label ?? field.api_name,
    type,
    isWritable: field.read_only !== true && field.operation_type?.api_update !== false && type !== 'other',
    isCustom: field.custom_field === true,
    options: isChoice ? (field.pick_list_values ?? []).flatMap(({ actual_value }) => actual_value ?? []) : null,
    maxLength: isText(type) ? (field.length ?? null) : null,
  };
}

function isText(type: CrmFieldType): boolean {
  return type === 'text' || type === 'email' || type === 'phone' || type === 'url';
}
