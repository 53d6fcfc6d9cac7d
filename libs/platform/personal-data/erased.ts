/** Replacement of an erased text. */
export const ERASED = '[erased]';

/** The domain of addresses that replace those of erased people; it cannot resolve (RFC 2606, section 2). */
export const ERASED_DOMAIN = 'erased.invalid';

/** Not deliverable and unique for each lead, because an address is in a campaign once. */
export function createErasedAddress(id: unknown): string {
  return `erased-${String(id)}@${ERASED_DOMAIN}`;
}
