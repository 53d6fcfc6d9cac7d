export { describeOutboundMailSource, type MailState } from './outbound-mail-source-conformance';
export { insertLike, type NewIds, stored } from './records-like';
export { refused } from './scripted-server';
export { NOON, SendingFixture } from './sending-fixture';
