import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IntegerField, TextField } from '@platform/validation';
import { Transform } from 'class-transformer';
import { IsString, ValidateBy, ValidateIf } from 'class-validator';
import { parseMailHost } from '../mailbox-host';

interface FieldOptions {
  about?: string;
  optional?: boolean;
}

export const MAX_SIGNATURE = 50_000;
const MAX_TAGS = 20;
const MAX_TAG = 50;
const MAX_PASSWORD = 1_000;

/** Line breaks, control characters and characters that change the direction of text. */
const LINE_BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** The name beside the address in a From field; may be empty. */
export function DisplayNameField(options: FieldOptions = {}) {
  return applyDecorators(onOneLine(), TextField({ ...options, min: 0, max: 200 }));
}

/** A host name or IP address, as `parseMailHost` writes it. */
export function HostField(options: FieldOptions) {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (parseMailHost(value) ?? value) : value)),
    ValidateBy({
      name: 'host',
      validator: {
        validate: (value) => typeof value !== 'string' || parseMailHost(value) === value,
        defaultMessage: () => '$property must be a host name or an IP address, without scheme, port or path',
      },
    }),
    ...createTextDecorators(options, { maxLength: 253, example: 'mail.example.com' }),
  );
}

export function PortField(options: FieldOptions) {
  return IntegerField({ ...options, min: 1, max: 65_535 });
}

/** The login name on the server. */
export function UsernameField(options: FieldOptions) {
  return applyDecorators(onOneLine(), TextField({ ...options, max: 320 }));
}

/** A password as typed: leading and trailing blanks belong to it. */
export function PasswordField(options: FieldOptions) {
  return applyDecorators(
    ValidateBy({
      name: 'password',
      validator: {
        validate: (value) => typeof value !== 'string' || isPassword(value),
        defaultMessage: () => `$property must be a text of 1 to ${MAX_PASSWORD} characters on one line`,
      },
    }),
    ...createTextDecorators(options, { minLength: 1, maxLength: MAX_PASSWORD, format: 'password', writeOnly: true }),
  );
}

/** Short labels, trimmed; labels that differ only in case are duplicates. */
export function TagsField(options: FieldOptions) {
  const message = `$property must be a list of at most ${MAX_TAGS} different texts of 1 to ${MAX_TAG} characters on one line`;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => trimAll(value)),
    ValidateBy({ name: 'tags', validator: { validate: isTags, defaultMessage: () => message } }),
    ...ifPresent(options),
    ApiProperty({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: MAX_TAG },
      maxItems: MAX_TAGS,
      uniqueItems: true,
      ...toApiOptions(options),
    }),
  );
}

function onOneLine() {
  return ValidateBy({
    name: 'oneLine',
    validator: {
      validate: (value) => typeof value !== 'string' || !LINE_BREAKING.test(value.trim()),
      defaultMessage: () => '$property must be on one line, without control characters',
    },
  });
}

function createTextDecorators(
  options: FieldOptions,
  schema: { maxLength: number } & Record<string, unknown>,
): PropertyDecorator[] {
  return [
    IsString({ message: '$property must be a text' }),
    ...ifPresent(options),
    ApiProperty({ type: 'string', ...schema, ...toApiOptions(options) }),
  ];
}

function ifPresent({ optional = false }: FieldOptions): PropertyDecorator[] {
  return optional ? [ValidateIf((_object, value) => value !== undefined)] : [];
}

function toApiOptions({ about, optional = false }: FieldOptions) {
  return { required: !optional, ...(about === undefined ? {} : { description: about }) };
}

function isPassword(value: string): boolean {
  return value.length >= 1 && value.length <= MAX_PASSWORD && value.isWellFormed() && !/\p{Cc}/u.test(value);
}

function trimAll(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => (typeof item === 'string' ? item.trim() : item));
}

function isTags(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > MAX_TAGS || !value.every(isTag)) return false;
  return new Set(value.map((tag: string) => tag.toLowerCase())).size === value.length;
}

function isTag(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length >= 1 &&
    value.length <= MAX_TAG &&
    value.isWellFormed() &&
    !LINE_BREAKING.test(value)
  );
}
