export { Batcher } from './batcher';
export { InLine } from './in.line';
