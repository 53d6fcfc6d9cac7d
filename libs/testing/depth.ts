/** `npm run test:deep` sets it: properties are tried as often, and combinations as many, as a machine of its own has time for. */
export const DEEP = process.env['TEST_DEPTH'] === 'deep';

/** How often something is tried: a tenth as often in `npm test`, whose answer somebody waits for. */
export function rounds(deep: number, quick = Math.ceil(deep / 10)): number {
  return DEEP ? deep : quick;
}

/** `npm run test:faults` sets it: storms as long as whoever watches them has time for. */
export const LONG = process.env['FAULTS'] === 'long';
