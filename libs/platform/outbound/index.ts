export { OutboundAddressService, type AddressGuardOptions, type CheckedAddress } from './outbound-address.service';
export { parseAddress, type CanonicalAddress } from './address-policy';
export { type HostLookup } from './dns-lookup';
export { OutboundError, type OutboundErrorOptions, type OutboundReason } from './outbound.errors';
export { OutboundHttpClient, type OutboundHttpOptions } from './outbound-http.client';
export { OutboundModule } from './outbound.module';
export { parseOutboundUrl, type OutboundMethod, type OutboundRequest, type OutboundResponse } from './outbound-request';
export { retryAfterMs } from './retry-after';
