/** Set by `npm run test:deep`: more runs of properties and more combinations. */
export const DEEP = process.env['TEST_DEPTH'] === 'deep';

/** Number of runs: a tenth in `npm test`, for a fast result. */
export function rounds(deep: number, quick = Math.ceil(deep / 10)): number {
  return DEEP ? deep : quick;
}

/** Set by `npm run test:faults`: longer fault runs. */
export const LONG = process.env['FAULTS'] === 'long';
