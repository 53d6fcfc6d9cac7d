export { ApiClient } from './api.client';
export { FaultProxy } from './fault.proxy';
export { FakeClock } from './fake.clock';
export { drainQueues } from './drain';
export { dropDatabase, testConfig, testConfigLike } from './test.config';
export { mailSandbox, type MailSandbox, mongoUrl, redisUrl, sandboxDns } from './servers';
export { eventually } from './eventually';
export { expectToldRight } from './recorded.events';
export { openTestDatabase, type TestDatabase } from './test.module';
