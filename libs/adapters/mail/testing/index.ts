export { FakeMailDriver } from '../fake/fake-mail.driver';
export { type FakeMailbox } from '../fake/fake-mailbox';
export { type GmailServer, startGmailServer } from '../gmail/testing/gmail-server';
export { type GraphServer, startGraphServer } from '../graph/testing/graph-server';
export { type Act, type Cue, ScriptedSmtp, type Engagement, type SmtpScript } from '../smtp/testing/scripted-smtp';
