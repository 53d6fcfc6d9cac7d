/** `npm run test:deep` sets it: more runs of properties and more combinations, for a dedicated machine. */
export const DEEP = process.env['TEST_DEPTH'] === 'deep';

/** Number of runs: a tenth in `npm test`, which has to be fast. */
export function rounds(deep: number, quick = Math.ceil(deep / 10)): number {
  return DEEP ? deep : quick;
}

/** `npm run test:faults` sets it: longer fault tests. */
export const LONG = process.env['FAULTS'] === 'long';
