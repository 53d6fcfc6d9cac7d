export { Batcher } from './batcher';
