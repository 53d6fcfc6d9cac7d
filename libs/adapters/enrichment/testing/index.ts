export { FakeToolDriver } from '../fake/fake-tool.driver';
export { REFUSALS, TableServer } from './table-server';
