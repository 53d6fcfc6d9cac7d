export { newAgent, writtenText } from './agents';
export { AgentsFixture } from './agents-fixture';
export { waitingReply } from './waiting-reply';
