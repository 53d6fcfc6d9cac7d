import { type CrmField, type CrmFieldType } from '../port/crm-person';
import { toRecords } from '../http/crm-response';

/** The used properties of an attribute (https://docs.attio.com/rest-api/endpoint-reference/attributes/list-attributes). */
export interface AttioAttribute {
  readonly api_slug: string;
  readonly title: string;
  readonly type: string;
  readonly is_system_attribute?: boolean;
  readonly is_writable?: boolean;
  readonly is_multiselect?: boolean;
  readonly is_archived?: boolean;
}

/** The attributes in use; an archived attribute counts as deleted. */
export function listAttributes(list: unknown): AttioAttribute[] {
  return toRecords(list).filter(
    (attribute): attribute is AttioAttribute & typeof attribute =>
      typeof attribute['api_slug'] === 'string' &&
      typeof attribute['type'] === 'string' &&
      typeof attribute['title'] === 'string' &&
      attribute['is_archived'] !== true,
  );
}

const TYPES: Readonly<Record<string, CrmFieldType>> = {
  text: 'text',
  number: 'number',
  rating: 'number',
  currency: 'number',
  checkbox: 'boolean',
  date: 'day',
  timestamp: 'instant',
  select: 'choice',
  status: 'choice',
  'email-address': 'email',
  'phone-number': 'phone',
  domain: 'url',
  'record-reference': 'reference',
  'actor-reference': 'reference',
};

/** The parts of composite values, each of which is a field here; a slug contains no dot. */
const PARTS: Readonly<Record<string, readonly AttioPart[]>> = {
  'personal-name': [
    { part: 'first_name', label: 'First name', isWritable: true },
    { part: 'last_name', label: 'Last name', isWritable: true },
    { part: 'full_name', label: 'Full name', isWritable: false },
  ],
  location: [
    { part: 'line_1', label: 'Address', isWritable: false },
    { part: 'postcode', label: 'Postcode', isWritable: false },
    { part: 'locality', label: 'City', isWritable: false },
    { part: 'region', label: 'Region', isWritable: false },
    { part: 'country_code', label: 'Country', isWritable: false },
  ],
};

interface AttioPart {
  readonly part: string;
  readonly label: string;
  readonly isWritable: boolean;
}

/** Whether a choice is limited to the vendor's list. */
export function hasOptions({ type }: AttioAttribute): boolean {
  return type === 'select' || type === 'status';
}

/**
 * The fields of an attribute: one, or one for each part of its values.
 * @param options titles of the allowed choices; null when unknown
 */
export function toAttioFields(attribute: AttioAttribute, options: readonly string[] | null): CrmField[] {
  const parts = PARTS[attribute.type];
  const isWritable = attribute.is_writable === true;
  const whole = { isCustom: attribute.is_system_attribute === false, options, maxLength: null };
  if (parts) {
    return parts.map(({ part, label, isWritable: canBe }) => {
      const name = `${attribute.api_slug}.${part}`;
      return { ...whole, name, label: `${attribute.title}: ${label}`, type: 'text', isWritable: isWritable && canBe };
    });
  }
  const type = getFieldType(attribute);
  const canWrite = isWritable && type !== 'other' && type !== 'reference';
  return [{ ...whole, name: attribute.api_slug, label: attribute.title, type, isWritable: canWrite }];
}

function getFieldType({ type, is_multiselect }: AttioAttribute): CrmFieldType {
  if (type === 'select' && is_multiselect === true) return 'choices';
  return TYPES[type] ?? 'other';
}

/** The attribute of a field and the part of its values. */
export function splitFieldName(field: string): { readonly slug: string; readonly part: string | null } {
  const dot = field.indexOf('.');
  return dot === -1 ? { slug: field, part: null } : { slug: field.slice(0, dot), part: field.slice(dot + 1) };
}
