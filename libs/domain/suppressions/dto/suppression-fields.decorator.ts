import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, MaxLength, ValidateIf } from 'class-validator';
import { MAX_ENTRIES } from '../suppression-values';

/** Longer than any address or domain, also one that is shorter in A-labels than as it was typed. */
const MAX_LENGTH = 1_000;

/** A list of texts that the service judges one by one; may be left out. */
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
