export { InboxFixture } from './inbox-fixture';
export { type Written } from './inbox-records';
export { bounce, complaint, mail } from './mails';
