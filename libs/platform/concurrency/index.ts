export { Batcher } from './batcher';
export { KeyedMutex } from './keyed-mutex';
export { type NoSlot, RateLimiter, type RateLimits, type Slot } from './rate-limiter';
export { createSystemTimer, type Timer } from './timer';
export { unlessAborted } from './unless-aborted';
