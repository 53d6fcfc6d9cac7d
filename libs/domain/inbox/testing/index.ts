export { InboxFixture, type Written } from './inbox.fixture';
export { bounce, mail } from './mails';
