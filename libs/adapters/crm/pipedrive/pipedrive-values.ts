import { UnfitValueError } from './pipedrive.errors';
import { type CrmValue } from '../port/crm-person';
import { MARKETING_STATUS, type PersonField } from './person-schema';

/**
 * Converts a value of API v2 for the port. Option ids become labels, which users know; a removed option keeps its id. Amounts lose their
 * currency, and ranges become ISO 8601 intervals.
 */
export function fromPipedriveValue(field: PersonField, raw: unknown): CrmValue {
  if (raw === null || raw === undefined) return null;
  if (Array.isArray(raw)) return raw.map((entry: unknown) => getLabel(field, entry)).filter((label) => label !== '');
  if (typeof raw === 'object') return getComposedPart(raw as Record<string, unknown>);
  if (field.type === 'choice' || field.type === 'reference') return getLabel(field, raw);
  return typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean' ? raw : null;
}

function getComposedPart({ value, until }: Record<string, unknown>): CrmValue {
  if (typeof value === 'string' && typeof until === 'string') return `${value}/${until}`;
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

function getLabel({ ids }: PersonField, raw: unknown): string {
  if (typeof raw !== 'string' && typeof raw !== 'number') return '';
  for (const [label, id] of ids) if (String(id) === String(raw)) return label;
  return String(raw);
}

/**
 * Converts a value of the port for API v2, which refuses a quoted number and an empty list.
 * @returns undefined when nothing has to be written
 * @throws UnfitValue
 */
export function getStored(field: PersonField, value: CrmValue): unknown {
  if (field.name === MARKETING_STATUS) return getMarketingStatus(value);
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return null;
  switch (field.kind) {
    case 'int':
    case 'double':
      return toStoredNumber(value);
    case 'user':
    case 'org':
    case 'people':
      return requirePipedriveId(value);
    case 'enum':
      return findOption(field, toStoredText(value));
    case 'set':
      return (Array.isArray(value) ? value : [toStoredText(value)]).map((label) => findOption(field, label));
    case 'date':
      return toStoredDay(toStoredText(value));
    case 'address':
      return { value: toStoredText(value) };
    default:
      return toStoredText(value);
  }
}

/**
 * Writes an opt-out to Pipedrive. A person without an opt-out here has not consented, so consent is never written. Pipedrive refuses or
 * ignores statuses that its rules forbid.
 */
function getMarketingStatus(value: CrmValue): string | undefined {
  if (value === true || value === 'true') return 'unsubscribed';
  return typeof value === 'string' && value !== '' && value !== 'false' ? value : undefined;
}

function toStoredText(value: CrmValue): string {
  if (Array.isArray(value)) return value.join(', ');
  return String(value);
}

function toStoredNumber(value: CrmValue): number {
  const number = typeof value === 'number' ? value : Number(toStoredText(value).trim() || NaN);
  if (!Number.isFinite(number)) throw new UnfitValueError('The value is not a number');
  return number;
}

/** Ids of Pipedrive are whole numbers. @throws UnfitValue */
export function requirePipedriveId(value: CrmValue): number {
  const id = toStoredNumber(value);
  if (!Number.isSafeInteger(id) || id <= 0) throw new UnfitValueError('The value is not an id of Pipedrive');
  return id;
}

function findOption({ ids }: PersonField, text: string): number | string {
  const id = ids.get(text) ?? [...ids.values()].find((known) => String(known) === text);
  if (id === undefined) throw new UnfitValueError('The value is not one of the options');
  return id;
}

function toStoredDay(text: string): string {
  const [day] = /^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(text) ?? [];
  if (day === undefined) throw new UnfitValueError('The value is not a day');
  return day;
}
