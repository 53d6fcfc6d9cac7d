export { type SlackPost, SlackServer, STANDING_TOKEN } from './slack-server';
