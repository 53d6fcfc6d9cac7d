import { ChatPort, ChatError } from '@adapters/chat';
import { Injectable } from '@nestjs/common';
import { invalidField } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type ChatChannelChoice, type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { type ChatAccess } from './chat-connection-write.service';
import { ChatConnectionRepository } from './chat-connection.repository';

const WRONG_CHANNELS: Readonly<Record<string, string>> = {
  is_archived: 'is that of an archived channel',
  not_in_channel: 'is that of a private channel: invite the app to it first',
};

/** Asks Slack whether what a person sets can be used, before it is stored. */
@Injectable()
export class ChatReachService {
  constructor(
    private readonly chat: ChatPort,
    private readonly connections: ChatConnectionRepository,
    private readonly log: LogService,
  ) {}

  /** @throws VALIDATION_ERROR when nothing can be posted there, ChatError when Slack cannot say so now */
  async webhook(url: string, teamName: string): Promise<ChatAccess> {
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
    return { way: 'webhook', secret: url, teamId: '', teamName };
  }

  /** @throws VALIDATION_ERROR when nothing can be posted in it, ChatError when Slack does not let us in, or cannot say so now */
  async channel(connection: ChatConnectionRecord, channelId: string): Promise<ChatChannelChoice> {
    const wrong = (why: string) => invalidField('channelId', `channelId ${why}`);
    try {
      return await this.openChannel(this.connections.secret(connection), channelId);
    } catch (error) {
      if (error instanceof ChatError && error.reason === 'channel')
        throw wrong(WRONG_CHANNELS[error.vendorCode] ?? 'is that of no channel that the app can see');
      if (error instanceof ChatError && error.reason === 'authorisation')
        await this.connections.failed(connection, error);
      throw error;
    }
  }

  /** A channel in which something can be posted. @throws ChatError `channel` for any other */
  async openChannel(token: string, channelId: string, signal?: AbortSignal): Promise<ChatChannelChoice> {
    const { id, name, isArchived, isPrivate, isMember } = await this.chat.channel(token, channelId, signal);
    if (isArchived) throw shut('is_archived');
    if (isPrivate && !isMember) throw shut('not_in_channel');
    return { id, name };
  }

  /**
   * Gives the token of a connection back that is not used any more: by nobody else either, as that would shut another workspace out.
   * It is gone here in any case.
   */
  async revoke(connection: ChatConnectionRecord): Promise<void> {
    if (connection.way !== 'consent') return;
    try {
      if (await this.connections.isTokenShared(connection)) return;
      await this.chat.revoke(this.connections.secret(connection));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn('A token of Slack was not given back', { connectionId: connection._id.toHexString(), reason });
    }
  }
}

/** In the words that a post would be refused with. */
function shut(vendorCode: 'is_archived' | 'not_in_channel'): ChatError {
  return new ChatError('channel', `Slack answered ${vendorCode}`, { vendorCode });
}
