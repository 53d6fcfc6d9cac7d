import { ChatPort, ChatError } from '@adapters/chat';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { invalidField, notFound } from '@platform/errors';
import { chatNotConnected } from '../chat.errors';
import { type SlackChannelsResponse, toSlackChannel } from '../dto/chat.dto';
import { type SlackChannelsQuery } from '../dto/chat-requests.dto';
import { ChatConnectionRepository } from './chat-connection.repository';

/** Slack lists channels some twenty times a minute for a workspace: who turns pages there and back is answered from here. */
const FRESH_MS = 30_000;
const MOST_PAGES = 200;

/** The channels that a workspace may choose from. */
@Injectable()
export class ChatChannelsService {
  readonly #pages = new Map<string, { readonly page: SlackChannelsResponse; readonly until: Date }>();

  constructor(
    private readonly chat: ChatPort,
    private readonly connections: ChatConnectionRepository,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND when nothing is connected, CHAT_NOT_CONNECTED for a webhook, VALIDATION_ERROR for a cursor of nobody, ChatError */
  async list({ workspaceId }: WorkspaceScope, query: SlackChannelsQuery): Promise<SlackChannelsResponse> {
    const cursor = query.cursor ?? null;
    const connection = await this.connections.find(workspaceId);
    if (!connection) throw notFound('Integration');
    if (connection.way === 'webhook') {
      throw chatNotConnected('A webhook stands for its channel; connect Slack by consent to choose one');
    }
    const key = [connection._id.toHexString(), connection.revision, cursor].join('/');
    const known = this.#pages.get(key);
    if (known && known.until > this.clock.now()) return known.page;
    try {
      const { channels, nextCursor } = await this.chat.channels(this.connections.secret(connection), cursor);
      return this.#remember(key, { channels: channels.map(toSlackChannel), nextCursor });
    } catch (error) {
      if (error instanceof ChatError && error.reason === 'authorisation')
        await this.connections.failed(connection, error);
      if (error instanceof ChatError && cursor !== null && error.vendorCode === 'invalid_cursor')
        throw invalidField('cursor', 'cursor must be the nextCursor of a page before');
      throw error;
    }
  }

  #remember(key: string, page: SlackChannelsResponse): SlackChannelsResponse {
    const [oldest] = this.#pages.keys();
    if (this.#pages.size >= MOST_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    this.#pages.delete(key);
    this.#pages.set(key, { page, until: this.clock.in(FRESH_MS) });
    return page;
  }
}
