export { FakeChat, type ScriptedChat } from '../fake/fake.chat';
export { type SlackPost, SlackServer, STANDING_TOKEN } from './slack.server';
