import { type ChatChannel, type ChatGrant, type ChatTeam } from '../port/chat.port';
import { ChatError } from '../port/chat.errors';

type Answer = Readonly<Record<string, unknown>>;

/** Reads the team from `auth.test`. @throws ChatError for an invalid response */
export function getTeam(answer: Answer): ChatTeam {
  return { id: requireText(answer, 'team_id'), name: requireText(answer, 'team') };
}

/** Reads a channel from `conversations.list` and `conversations.info`. @throws ChatError for an invalid response */
export function getChannel(value: unknown): ChatChannel {
  const channel = requireObject(value);
  return {
    id: requireText(channel, 'id'),
    name: requireText(channel, 'name'),
    isPrivate: channel['is_private'] === true,
    isArchived: channel['is_archived'] === true,
    isMember: channel['is_member'] === true,
  };
}

/** Reads the bot token from `oauth.v2.access`. @throws ChatError for a response without one */
export function toChatGrant(answer: Answer): ChatGrant {
  const team = requireObject(answer['team']);
  const scope = answer['scope'];
  return {
    token: requireText(answer, 'access_token'),
    team: { id: requireText(team, 'id'), name: requireText(team, 'name') },
    scopes: typeof scope === 'string' ? scope.split(',').filter((one) => one !== '') : [],
    // Only apps with token rotation have tokens that expire.
    expires: answer['expires_in'] !== undefined || answer['refresh_token'] !== undefined,
  };
}

function requireObject(value: unknown): Answer {
  if (typeof value === 'object' && value !== null) return value as Answer;
  throw createUnreadableError();
}

function requireText(answer: Answer, name: string): string {
  const value = answer[name];
  if (typeof value === 'string' && value !== '') return value;
  throw createUnreadableError();
}

function createUnreadableError(): ChatError {
  return new ChatError('unavailable', 'Slack returned an unexpected response', { vendorCode: 'unreadable' });
}
