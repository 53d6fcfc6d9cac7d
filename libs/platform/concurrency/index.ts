export { Batcher } from './batcher';
export { KeyedMutex } from './keyed-mutex';
