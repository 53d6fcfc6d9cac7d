export { type SlackPost, SlackServer, VALID_TOKEN_PREFIX } from './slack-server';
