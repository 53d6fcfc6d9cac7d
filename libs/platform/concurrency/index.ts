export { Batcher } from './batcher';
export { KeyedMutex } from './keyed-mutex';
export { unlessAborted } from './unless-aborted';
