import { invalidField } from '@platform/errors';
import { type OutboundAddressService, OutboundError, parseOutboundUrl } from '@platform/outbound';

/**
 * Refuses an address that could never be sent to; where a name leads is looked at with each request.
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
