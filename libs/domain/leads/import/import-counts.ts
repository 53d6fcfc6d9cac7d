import { type RefusalReason } from './import-row-reader';

/** Outcomes of rows; `rows` is the sum of all others. */
export const IMPORT_COUNTS = [
  'rows',
  'created',
  'duplicate',
  'invalidAddress',
  'suppressed',
  'missingColumns',
  'extraColumns',
  'invalidValue',
  'overLimit',
] as const;
export type ImportCounts = Record<(typeof IMPORT_COUNTS)[number], number>;

/** The counter of each refusal reason. */
export const COUNT_OF: Readonly<Record<RefusalReason, keyof ImportCounts>> = {
  duplicate: 'duplicate',
  invalid_address: 'invalidAddress',
  suppressed: 'suppressed',
  missing_columns: 'missingColumns',
  extra_columns: 'extraColumns',
  invalid_value: 'invalidValue',
  over_limit: 'overLimit',
};
