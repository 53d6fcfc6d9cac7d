import { type CrmField, type CrmFieldType } from '../port/crm.person';
import { listIn, recordOf, recordsOf, textOf } from '../rest/crm.answers';

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

/** What a text may have at most. */
const MAX_TEXT = 65_536;

/** The properties of contacts that people see, from `GET /crm/v3/properties/contacts`. */
export function fieldsOf(json: unknown): CrmField[] {
  return listIn(recordOf(json)['results'], 'HubSpot').flatMap((property) => {
    const name = textOf(property['name']);
    if (name === null || property['hidden'] === true) return [];
    const type = typeOf(name, property);
    const isReadOnly = recordOf(property['modificationMetadata'])['readOnlyValue'] === true;
    const hasOptions = (type === 'choice' || type === 'choices') && property['externalOptions'] !== true;
    return [
      {
        name,
        label: textOf(property['label']) ?? name,
        type,
        isWritable: !isReadOnly && property['calculated'] !== true && type !== 'other',
        isCustom: property['hubspotDefined'] !== true,
        options: hasOptions ? recordsOf(property['options']).flatMap((option) => textOf(option['value']) ?? []) : null,
        maxLength: type === 'text' ? MAX_TEXT : null,
      },
    ];
  });
}

function typeOf(name: string, property: Readonly<Record<string, unknown>>): CrmFieldType {
  const form = property['fieldType'];
  if (name === 'email') return 'email';
  if (textOf(property['referencedObjectType']) !== null) return 'reference';
  if (form === 'phonenumber') return 'phone';
  if (form === 'booleancheckbox') return 'boolean';
  const type = TYPES[textOf(property['type']) ?? ''] ?? 'other';
  return type === 'choice' && form === 'checkbox' ? 'choices' : type;
}
