export { FakeChat, type ScriptedChat } from '../fake/fake.chat';
export { type SlackPost, SlackServer } from './slack.server';
