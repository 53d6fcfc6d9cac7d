export { AddressGuard, type AddressGuardOptions, type CheckedAddress } from './address.guard';
export { parseAddress, type CanonicalAddress } from './address.policy';
export { type HostLookup } from './dns.lookup';
export { OutboundError, type OutboundErrorOptions, type OutboundReason } from './outbound.errors';
export { OutboundHttp, type OutboundHttpOptions } from './outbound.http';
export { OutboundModule } from './outbound.module';
export { parseOutboundUrl, type OutboundMethod, type OutboundRequest, type OutboundResponse } from './outbound.request';
export { retryAfterMs } from './retry.after';
