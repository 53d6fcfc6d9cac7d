export { migrations } from './migrations.list';
