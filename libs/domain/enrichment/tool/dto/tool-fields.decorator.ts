import { CheckedField, type FieldOptions } from '@platform/validation';
import { isObject } from 'class-validator';
import { MAX_MAPPED } from '../settings/tool-mapping';

const MAX_TOKEN = 500;
const LEAST_SECRET = 16;
const MAX_SECRET = 200;

/** Names in results and the fields that they fill. `listMappingFaults` checks the names, and names the faulty one. */
export function MappingField(options: FieldOptions) {
  const message = '$property must be an object of names';
  const values = { type: 'string' } as const;
  const schema = { type: 'object', additionalProperties: values, minProperties: 1, maxProperties: MAX_MAPPED } as never;
  return CheckedField({ name: 'mapping', validate: isObject, message, schema }, options);
}

/** A secret that is sent as a header value. */
export function TokenField(options: FieldOptions) {
  return visibleText('token', 1, MAX_TOKEN, options);
}

/** A shared secret. */
export function SharedSecretField(options: FieldOptions) {
  return visibleText('sharedSecret', LEAST_SECRET, MAX_SECRET, options);
}

function visibleText(name: string, min: number, max: number, options: FieldOptions) {
  const form = new RegExp(`^[\\x21-\\x7e]{${min},${max}}$`);
  const message = `$property must be ${min} to ${max} visible ASCII characters, or null for none`;
  const schema = { type: 'string', minLength: min, maxLength: max } as const;
  const validate = (value: unknown) => typeof value === 'string' && form.test(value);
  return CheckedField({ name, validate, message, schema }, { ...options, optional: true, nullable: true });
}
