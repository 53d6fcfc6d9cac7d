export { InboxFixture, type Written } from './inbox-fixture';
export { bounce, complaint, mail } from './mails';
