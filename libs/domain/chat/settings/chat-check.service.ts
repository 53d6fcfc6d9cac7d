import { ChatPort, ChatError } from '@adapters/chat';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import { checkIdle, IDLE_MS } from '@domain/oauth';
import { ChatConnectionRecord } from '../schemas/chat-connection.record';
import { ChatConnectionRepository } from './chat-connection.repository';
import { ChatReachService } from './chat-reach.service';

/** Looks whether chats in which nothing was told for a day still let us in; nothing is posted. */
@Injectable()
export class ChatCheckService {
  constructor(
    @InjectModel(ChatConnectionRecord.name) private readonly connections: Model<ChatConnectionRecord>,
    private readonly standing: ChatConnectionRepository,
    private readonly reach: ChatReachService,
    private readonly chat: ChatPort,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** What ended there meanwhile is noticed before something is to be told. What cannot be asked now is asked again at the next run. */
  async checkIdle(signal: AbortSignal): Promise<void> {
    await checkIdle(this.connections, this.clock.in(-IDLE_MS), signal, async (connection) => {
      await this.#check(connection, signal).catch((error: unknown) => {
        const connectionId = connection._id.toHexString();
        if (!signal.aborted) this.log.error('A chat could not be looked at', error, { connectionId });
      });
    });
  }

  async #check(connection: ChatConnectionRecord, signal: AbortSignal): Promise<void> {
    try {
      await this.#ask(connection, signal);
      await this.standing.markAuthorized(connection);
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      if (error.failure === 'needs-human') await this.standing.failed(connection, error);
    }
  }

  /** @throws ChatError when nothing could be posted */
  async #ask(connection: ChatConnectionRecord, signal: AbortSignal): Promise<void> {
    const secret = this.standing.secret(connection);
    const { way, channel } = connection;
    if (way === 'webhook') await this.chat.checkWebhook(secret, signal);
    else if (channel === null) await this.chat.team(secret, signal);
    else await this.reach.openChannel(secret, channel.id, signal);
  }
}
