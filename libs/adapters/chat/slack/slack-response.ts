import { type ChatChannel, type ChatGrant, type ChatTeam } from '../port/chat.port';
import { ChatError } from '../port/chat.errors';

type Answer = Readonly<Record<string, unknown>>;

/** Whose token it is, as `auth.test` says it. @throws ChatError for an answer that does not */
export function getTeam(answer: Answer): ChatTeam {
  return { id: requireText(answer, 'team_id'), name: requireText(answer, 'team') };
}

/** A channel, as `conversations.list` and `conversations.info` show it. @throws ChatError for an answer that does not */
export function getChannel(given: unknown): ChatChannel {
  const channel = requireObject(given);
  return {
    id: requireText(channel, 'id'),
    name: requireText(channel, 'name'),
    isPrivate: channel['is_private'] === true,
    isArchived: channel['is_archived'] === true,
    isMember: channel['is_member'] === true,
  };
}

/** What `oauth.v2.access` gave: the bot's token, not the person's. @throws ChatError for an answer without one */
export function toGrant(answer: Answer): ChatGrant {
  const team = requireObject(answer['team']);
  const scope = answer['scope'];
  return {
    token: requireText(answer, 'access_token'),
    team: { id: requireText(team, 'id'), name: requireText(team, 'name') },
    scopes: typeof scope === 'string' ? scope.split(',').filter((one) => one !== '') : [],
    // Only apps with token rotation give tokens that end.
    expires: answer['expires_in'] !== undefined || answer['refresh_token'] !== undefined,
  };
}

function requireObject(given: unknown): Answer {
  if (typeof given === 'object' && given !== null) return given as Answer;
  throw createUnreadableError();
}

function requireText(answer: Answer, name: string): string {
  const value = answer[name];
  if (typeof value === 'string' && value !== '') return value;
  throw createUnreadableError();
}

function createUnreadableError(): ChatError {
  return new ChatError('unavailable', 'Slack answered without what was asked for', { vendorCode: 'unreadable' });
}
