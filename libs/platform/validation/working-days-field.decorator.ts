import { CheckedField, type FieldOptions } from './field';

/** Days of the week, 1 Monday to 7 Sunday. */
export function WorkingDaysField(options: FieldOptions = {}) {
  const message = '$property must be a non-empty list of days from 1 (Monday) to 7 (Sunday), each at most once';
  const items = { type: 'integer', minimum: 1, maximum: 7 };
  const schema = { type: 'array', items, minItems: 1, maxItems: 7, uniqueItems: true } as const;
  return CheckedField(
    { name: 'workingDays', validate: isDays, message, schema },
    { example: [1, 2, 3, 4, 5], ...options },
  );
}

function isDays(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && new Set(value).size === value.length && value.every(isDay);
}

function isDay(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 7;
}
