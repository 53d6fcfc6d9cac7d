import { ChatPort, ChatError } from '@adapters/chat';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { invalidField, notFound } from '@platform/errors';
import { LogService } from '@platform/observability';
import { chatNotConnected } from '../chat.errors';
import { type SlackChannelsResponse, toSlackChannel } from '../dto/chat.dto';
import { type SlackChannelsQuery } from '../dto/chat-requests.dto';
import { type ChatChannelChoice, type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { ChatConnectionRepository, type ChatAccess } from './chat-connection.repository';

/** Slack limits channel lists to about twenty a minute per workspace: repeated pages come from this cache. */
const CACHE_MS = 30_000;

const MAX_CACHED_PAGES = 200;

const WRONG_CHANNELS: Readonly<Record<string, string>> = {
  is_archived: 'is that of an archived channel',
  not_in_channel: 'is that of a private channel: invite the app to it first',
};

/** Channels of a chat: the list, the check of a chosen one, and the token behind them. */
@Injectable()
export class ChatChannelsService {
  readonly #pages = new Map<string, { readonly page: SlackChannelsResponse; readonly until: Date }>();

  constructor(
    private readonly chat: ChatPort,
    private readonly connections: ChatConnectionRepository,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** @throws NOT_FOUND when nothing is connected, CHAT_NOT_CONNECTED for a webhook, VALIDATION_ERROR for an unknown cursor, ChatError */
  async list({ workspaceId }: WorkspaceScope, query: SlackChannelsQuery): Promise<SlackChannelsResponse> {
    const cursor = query.cursor ?? null;
    const connection = await this.connections.find(workspaceId);
    if (!connection) throw notFound('Integration');
    if (connection.authMethod === 'webhook') {
      throw chatNotConnected('A webhook stands for its channel; connect Slack by consent to choose one');
    }
    const key = [connection._id.toHexString(), connection.revision, cursor].join('/');
    const known = this.#pages.get(key);
    if (known && known.until > this.clock.now()) return known.page;
    try {
      const { channels, nextCursor } = await this.chat.channels(this.connections.secret(connection), cursor);
      return this.#cachePage(key, { channels: channels.map(toSlackChannel), nextCursor });
    } catch (error) {
      if (error instanceof ChatError && error.reason === 'authorisation')
        await this.connections.markFailed(connection, error);
      if (error instanceof ChatError && cursor !== null && error.vendorCode === 'invalid_cursor')
        throw invalidField('cursor', 'cursor must be the nextCursor of a page before');
      throw error;
    }
  }

  /** @throws VALIDATION_ERROR when it does not accept posts, ChatError when Slack is unavailable */
  async checkWebhook(url: string, teamName: string): Promise<ChatAccess> {
    if (!this.chat.isWebhook(url)) {
      throw invalidField(
        'webhookUrl',
        'webhookUrl must be an incoming webhook of Slack: https://hooks.slack.com/services/…',
      );
    }
    try {
      await this.chat.checkWebhook(url);
    } catch (error) {
      if (!(error instanceof ChatError) || error.failure !== 'needs-human') throw error;
      throw invalidField('webhookUrl', `webhookUrl takes no messages: Slack answered ${error.vendorCode}`);
    }
    return { authMethod: 'webhook', secret: url, teamId: '', teamName };
  }

  /** @throws VALIDATION_ERROR when it does not accept posts, ChatError when Slack rejects our credentials or is unavailable */
  async chooseChannel(connection: ChatConnectionRecord, channelId: string): Promise<ChatChannelChoice> {
    const wrong = (why: string) => invalidField('channelId', `channelId ${why}`);
    try {
      return await this.requireOpenChannel(this.connections.secret(connection), channelId);
    } catch (error) {
      if (error instanceof ChatError && error.reason === 'channel')
        throw wrong(WRONG_CHANNELS[error.vendorCode] ?? 'is that of no channel that the app can see');
      if (error instanceof ChatError && error.reason === 'authorisation')
        await this.connections.markFailed(connection, error);
      throw error;
    }
  }

  /** A channel that accepts posts. @throws ChatError `channel` for any other */
  async requireOpenChannel(token: string, channelId: string, signal?: AbortSignal): Promise<ChatChannelChoice> {
    const { id, name, isArchived, isPrivate, isMember } = await this.chat.channel(token, channelId, signal);
    if (isArchived) throw toClosedChannelError('is_archived');
    if (isPrivate && !isMember) throw toClosedChannelError('not_in_channel');
    return { id, name };
  }

  /**
   * Revokes the token of a removed connection, unless another workspace uses the same one. A failure is only logged:
   * the token is already deleted here.
   */
  async revokeToken(connection: ChatConnectionRecord): Promise<void> {
    if (connection.authMethod !== 'consent') return;
    try {
      if (await this.connections.isTokenShared(connection)) return;
      await this.chat.revoke(this.connections.secret(connection));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn('A Slack token was not revoked', { connectionId: connection._id.toHexString(), reason });
    }
  }

  #cachePage(key: string, page: SlackChannelsResponse): SlackChannelsResponse {
    const [oldest] = this.#pages.keys();
    if (this.#pages.size >= MAX_CACHED_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    this.#pages.delete(key);
    this.#pages.set(key, { page, until: this.clock.in(CACHE_MS) });
    return page;
  }
}

/** The error that a post to this channel would get. */
function toClosedChannelError(vendorCode: 'is_archived' | 'not_in_channel'): ChatError {
  return new ChatError('channel', `Slack answered ${vendorCode}`, { vendorCode });
}
