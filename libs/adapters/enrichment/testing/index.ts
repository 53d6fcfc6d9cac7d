export { FakeTool } from '../fake/fake.tool';
export { REFUSALS, TableServer } from './table.server';
