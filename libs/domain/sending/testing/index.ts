export { refused } from './scripted.server';
export { NOON, SendingFixture } from './sending.fixture';
