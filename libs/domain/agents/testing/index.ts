export { newAgent } from './agents';
export { AgentsFixture } from './agents.fixture';
