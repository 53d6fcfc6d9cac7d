import { type ChatLane, ChatTurns } from '@domain/integrations';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Tells the chat of a workspace what is due. */
@Injectable()
export class ChatLaneProcessor extends JobProcessor<ChatLane> {
  readonly queue = 'chat-lane' as const;

  constructor(private readonly turns: ChatTurns) {
    super();
  }

  async handle(payload: ChatLane, signal: AbortSignal): Promise<void> {
    await this.turns.run(payload, signal);
  }
}
