export { insertLike, type NewIds, stored } from './records-like';
export { refused } from './scripted-server';
export { NOON, SendingFixture } from './sending-fixture';
