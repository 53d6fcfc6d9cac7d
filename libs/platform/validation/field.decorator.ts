import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isDay, isZone } from '@platform/time';
import { Transform } from 'class-transformer';
import {
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import { Temporal } from 'temporal-polyfill';
import { parseEmailAddress } from './email-address';
import { bounds, field, type FieldOptions } from './field';

/** Schema of an id. test/isolation finds the fields with ids by it. */
const ID = { type: 'string', minLength: 1, maxLength: 64 } as const;

/** Text of a bounded length, trimmed. An empty text is refused unless `min` is 0. */
export function TextField(options: FieldOptions & { min?: number; max: number }) {
  const { min = 1, max } = options;
  return field(options, { type: 'string', minLength: min, maxLength: max }, [
    trimmed(),
    Length(min, max, {
      message: ({ property, value }) =>
        typeof value === 'string' && value.length < min && min === 1
          ? `${property} must not be empty`
          : `${property} must be a text of ${bounds(min, max)} characters`,
    }),
    ValidateBy({
      name: 'storable',
      validator: {
        validate: isStorable,
        defaultMessage: () => '$property must be well-formed text without null characters',
      },
    }),
    IsString({ message: '$property must be a text' }),
  ]);
}

/** A name that a person gives to a thing: 1 to 200 characters on one line, trimmed, at least one of them visible. */
export function NameField(options: FieldOptions = {}) {
  const message = '$property must be visible text on one line';
  const visible = { name: 'visible', validator: { validate: isVisibleLine, defaultMessage: () => message } };
  return applyDecorators(ValidateBy(visible), TextField({ ...options, max: 200 }));
}

/** An e-mail address, converted to its normal form (`parseEmailAddress`). */
export function EmailField(options: FieldOptions = {}) {
  return field(options, { type: 'string', format: 'email', maxLength: 254, example: 'ada@example.com' }, [
    Transform(({ value }: { value: unknown }) => toNormalAddress(value)),
    ValidateBy({
      name: 'email',
      validator: {
        validate: (value) => getAddressFault(value) === null,
        defaultMessage: (about) => `$property must be an e-mail address${getAddressFault(about?.value) ?? ''}`,
      },
    }),
  ]);
}

/** The address of a page or a service, with its scheme, trimmed. The service decides which schemes and hosts are allowed. */
export function UrlField(options: FieldOptions & { max: number }) {
  const message = '$property must be a URL without spaces and control characters';
  // URL parsers silently drop line ends and tabs: the stored URL would differ from the one that a person saw.
  const whole = { name: 'url', validator: { validate: isUrl, defaultMessage: () => message } };
  return applyDecorators(ValidateBy(whole), TextField(options), ApiProperty({ type: 'string', format: 'uri' }));
}

/** A record id. Its form is not checked here: a malformed id is an unknown id. */
export function IdField(options: FieldOptions = {}) {
  const message = '$property must be an id, a text of 1 to 64 characters';
  return field(options, ID, [Length(ID.minLength, ID.maxLength, { message }), IsString({ message })]);
}

/** Ids of records. The service checks that they exist and are distinct. @param of what they name, for the message: `mailbox` */
export function IdsField({ min = 0, max, of, ...options }: FieldOptions & { min?: number; max: number; of: string }) {
  const validate = (value: unknown): boolean =>
    Array.isArray(value) && value.length >= min && value.length <= max && value.every(isId);
  const message = `$property must be a list of ${bounds(min, max)} ${of} ids`;
  return field(options, { type: 'array', items: ID, minItems: min, maxItems: max, uniqueItems: true }, [
    ValidateBy({ name: 'ids', validator: { validate, defaultMessage: () => message } }),
  ]);
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value.length >= ID.minLength && value.length <= ID.maxLength;
}

/** A whole number; in a query it must be written in plain decimal digits. */
export function IntegerField(options: FieldOptions & { min: number; max: number; default?: number; query?: boolean }) {
  const { min, max } = options;
  const message = `$property must be an integer from ${min} to ${max}${orNull(options)}`;
  return field(
    options,
    {
      type: 'integer',
      minimum: min,
      maximum: max,
      ...(options.default === undefined ? {} : { default: options.default }),
    },
    [
      ...(options.query ? [Transform(({ value }: { value: unknown }) => decimal(value))] : []),
      Max(max, { message }),
      Min(min, { message }),
      IsInt({ message }),
    ],
  );
}

export function FlagField(options: FieldOptions = {}) {
  return field(options, { type: 'boolean' }, [IsBoolean({ message: '$property must be true or false' })]);
}

export function OneOfField(values: readonly string[], options: FieldOptions = {}) {
  return field(options, { type: 'string', enum: [...values] }, [
    IsIn(values, { message: `$property must be one of ${values.join(', ')}` }),
  ]);
}

interface ListOptions extends FieldOptions {
  min?: 0 | 1;
  /** The values of this installation, where it has more than the documented ones; asked at each request. */
  allowed?: () => readonly string[];
}

/** A list without repetition of values from a closed set; at least one, unless `min` is 0. */
export function OneOfListField(
  values: readonly string[],
  { min = 1, allowed = () => values, ...options }: ListOptions = {},
) {
  const message = () =>
    `$property must be a ${min === 0 ? '' : 'non-empty '}list of ${allowed().join(', ')}, each at most once`;
  const isAllowed = (value: unknown) => typeof value === 'string' && allowed().includes(value);
  return field(
    options,
    { type: 'array', items: { type: 'string', enum: [...values] }, minItems: min, uniqueItems: true },
    [
      ValidateBy({ name: 'isIn', validator: { validate: isAllowed } }, { each: true, message }),
      ArrayUnique({ message }),
      ValidateBy({
        name: 'nonEmpty',
        validator: { validate: (value) => Array.isArray(value) && value.length >= min, defaultMessage: message },
      }),
      IsArray({ message }),
    ],
  );
}

/** A point in time, ISO 8601 with an offset or Z. */
export function InstantField(options: FieldOptions = {}) {
  const message = '$property must be an ISO 8601 time with a zone, such as 2026-01-31T08:00:00Z';
  return field(options, { type: 'string', format: 'date-time' }, [
    Matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/, { message }),
    IsISO8601({ strict: true, strictSeparator: true }, { message }),
    ValidateBy({
      name: 'readable',
      validator: { validate: (value) => !Number.isNaN(Date.parse(String(value))), defaultMessage: () => message },
    }),
  ]);
}

/** A day of the calendar. */
export function DayField(options: FieldOptions = {}) {
  const message = '$property must be a day such as 2026-01-31, of the years 1970 to 2999';
  return field(options, { type: 'string', format: 'date' }, [
    ValidateBy({
      name: 'day',
      validator: {
        validate: (value) => typeof value === 'string' && isDay(value),
        defaultMessage: () => message,
      },
    }),
  ]);
}

/** A time of day as HH:MM, 00:00 to 23:59. */
export function TimeOfDayField(options: FieldOptions = {}) {
  return field(options, { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }, [
    Matches(/^([01]\d|2[0-3]):[0-5]\d$/, {
      message: '$property must be a time of day in the form HH:MM, 00:00 to 23:59',
    }),
  ]);
}

/** An IANA time zone name that this server's zone data know; converted to the spelling of the zone data (`utc` is `UTC`). */
export function TimeZoneField(options: FieldOptions = {}) {
  const message = `$property must be an IANA time zone name, such as Europe/Berlin${orNull(options)}`;
  return field(options, { type: 'string', example: 'Europe/Berlin' }, [
    Transform(({ value }: { value: unknown }) => (isTimeZone(value) ? toCanonicalZone(value) : value)),
    ValidateBy({
      name: 'timeZone',
      validator: { validate: isTimeZone, defaultMessage: () => message },
    }),
  ]);
}

function orNull({ nullable = false }: FieldOptions): string {
  return nullable ? ', or null' : '';
}

function trimmed() {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
}

/** A query value as a number when it is written in plain decimal digits, otherwise unchanged, so that it is refused. */
function decimal(value: unknown): unknown {
  return typeof value === 'string' && /^(0|[1-9]\d{0,8})$/.test(value) ? Number(value) : value;
}

function toNormalAddress(value: unknown): unknown {
  const parsed = typeof value === 'string' ? parseEmailAddress(value) : null;
  return parsed?.ok ? parsed.address : value;
}

/** The reason to append to the error message; null for a valid address. */
function getAddressFault(value: unknown): string | null {
  if (typeof value !== 'string') return '';
  const parsed = parseEmailAddress(value);
  return parsed.ok ? null : `: ${parsed.reason}`;
}

function isUrl(value: unknown): boolean {
  return typeof value !== 'string' || (URL.canParse(value) && !/[\s\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(value));
}

/** Whether the text has a visible character, no control characters and none that change the text direction. */
function isVisibleLine(value: unknown): boolean {
  return (
    typeof value !== 'string' ||
    (/[\p{L}\p{N}\p{P}\p{S}]/u.test(value) && !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(value))
  );
}

/** Whether the text has no lone surrogate, which UTF-8 cannot represent, and no NUL, which PostgreSQL-based servers refuse. */
function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));
}

function isTimeZone(value: unknown): value is string {
  return typeof value === 'string' && isZone(value);
}

/** `asia/kolkata` as `Asia/Kolkata`: unlike `Intl`, it does not replace the name by an older one. */
function toCanonicalZone(zone: string): string {
  return new Temporal.ZonedDateTime(0n, zone).timeZoneId;
}
