import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, MaxLength, ValidateIf } from 'class-validator';
import { MAX_ENTRIES } from '../suppression-values';

/** Longer than any valid address or domain in any spelling. */
const MAX_LENGTH = 1_000;

/** An optional list of entries; the service validates each of them. */
export function EntriesField({ about, example }: { about: string; example: string[] }) {
  const message = `$property must be a list of at most ${MAX_ENTRIES} texts of at most ${MAX_LENGTH} characters`;
  return applyDecorators(
    ValidateIf((_object, value) => value !== undefined),
    MaxLength(MAX_LENGTH, { each: true, message }),
    IsString({ each: true, message }),
    ArrayMaxSize(MAX_ENTRIES, { message }),
    IsArray({ message }),
    ApiProperty({
      type: 'array',
      items: { type: 'string', maxLength: MAX_LENGTH },
      maxItems: MAX_ENTRIES,
      required: false,
      description: about,
      example,
    }),
  );
}
