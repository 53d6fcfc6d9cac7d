export { InboxFixture, NOON, type Written } from './inbox.fixture';
export { bounce, mail } from './mails';
