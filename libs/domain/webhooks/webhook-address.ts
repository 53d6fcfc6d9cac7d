import { invalidField } from '@platform/errors';
import { type OutboundAddressService, OutboundError, parseOutboundUrl } from '@platform/outbound';

/**
 * Rejects an address that is never allowed; each request checks the resolved address again.
 * @throws VALIDATION_ERROR naming `url`
 */
export function requireSendable(url: string, guard: OutboundAddressService): void {
  try {
    guard.refuseLiteral(parseOutboundUrl(url).hostname);
  } catch (error) {
    if (error instanceof OutboundError) throw invalidField('url', `url cannot be used: ${error.message}`);
    throw error;
  }
}
