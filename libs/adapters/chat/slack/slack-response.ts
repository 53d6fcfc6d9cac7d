import { type ChatChannel, type ChatGrant, type ChatTeam } from '../port/chat.port';
import { ChatError } from '../port/chat.errors';

type Answer = Readonly<Record<string, unknown>>;

/** Whose token it is, as `auth.test` says it. @throws ChatError for an answer that does not */
export function getTeam(answer: Answer): ChatTeam {
  return { id: textIn(answer, 'team_id'), name: textIn(answer, 'team') };
}

/** A channel, as `conversations.list` and `conversations.info` show it. @throws ChatError for an answer that does not */
export function getChannel(given: unknown): ChatChannel {
  const channel = objectOf(given);
  return {
    id: textIn(channel, 'id'),
    name: textIn(channel, 'name'),
    isPrivate: channel['is_private'] === true,
    isArchived: channel['is_archived'] === true,
    isMember: channel['is_member'] === true,
  };
}

/** What `oauth.v2.access` gave: the bot's token, not the person's. @throws ChatError for an answer without one */
export function toGrant(answer: Answer): ChatGrant {
  const team = objectOf(answer['team']);
  const scope = answer['scope'];
  return {
    token: textIn(answer, 'access_token'),
    team: { id: textIn(team, 'id'), name: textIn(team, 'name') },
    scopes: typeof scope === 'string' ? scope.split(',').filter((one) => one !== '') : [],
    // Only apps with token rotation give tokens that end.
    expires: answer['expires_in'] !== undefined || answer['refresh_token'] !== undefined,
  };
}

function objectOf(given: unknown): Answer {
  if (typeof given === 'object' && given !== null) return given as Answer;
  throw unreadable();
}

function textIn(answer: Answer, name: string): string {
  const value = answer[name];
  if (typeof value === 'string' && value !== '') return value;
  throw unreadable();
}

function unreadable(): ChatError {
  return new ChatError('unavailable', 'Slack answered without what was asked for', { word: 'unreadable' });
}
