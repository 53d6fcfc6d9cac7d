import { type CrmField, type CrmFieldType } from '../port/crm-person';
import { requireRecords, toRecord, toRecords, toText } from '../http/crm-response';

/** Types of properties (https://developers.hubspot.com/docs/api-reference/crm-properties-v3/guide). */
const TYPES: Readonly<Record<string, CrmFieldType>> = {
  string: 'text',
  number: 'number',
  bool: 'boolean',
  date: 'day',
  datetime: 'instant',
  enumeration: 'choice',
  phone_number: 'phone',
};

/** Maximum length of a text. */
const MAX_TEXT = 65_536;

/** The visible properties of contacts, from `GET /crm/v3/properties/contacts`. */
export function toHubSpotFields(json: unknown): CrmField[] {
  return requireRecords(toRecord(json)['results'], 'HubSpot').flatMap((property) => {
    const name = toText(property['name']);
    if (name === null || property['hidden'] === true) return [];
    const type = getFieldType(name, property);
    const isReadOnly = toRecord(property['modificationMetadata'])['readOnlyValue'] === true;
    const hasOptions = (type === 'choice' || type === 'choices') && property['externalOptions'] !== true;
    return [
      {
        name,
        label: toText(property['label']) ?? name,
        type,
        isWritable: !isReadOnly && property['calculated'] !== true && type !== 'other',
        isCustom: property['hubspotDefined'] !== true,
        options: hasOptions ? toRecords(property['options']).flatMap((option) => toText(option['value']) ?? []) : null,
        maxLength: type === 'text' ? MAX_TEXT : null,
      },
    ];
  });
}

function getFieldType(name: string, property: Readonly<Record<string, unknown>>): CrmFieldType {
  const form = property['fieldType'];
  if (name === 'email') return 'email';
  if (toText(property['referencedObjectType']) !== null) return 'reference';
  if (form === 'phonenumber') return 'phone';
  if (form === 'booleancheckbox') return 'boolean';
  const type = TYPES[toText(property['type']) ?? ''] ?? 'other';
  return type === 'choice' && form === 'checkbox' ? 'choices' : type;
}
