export { AdaptiveLimit } from './adaptive-limit';
export { Batcher } from './batcher';
export { KeyedMutex } from './keyed-mutex';
export { type NoSlot, RateLimiter, type RateLimits, type Slot } from './rate-limiter';
export { mapInParallel } from './parallel-map';
export { RunSlots } from './run-slots';
export { createSystemTimer, type Timer } from './timer';
export { acquireUnlessAborted, unlessAborted } from './unless-aborted';
