export { migrations } from './migrations';
