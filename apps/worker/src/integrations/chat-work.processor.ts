import { type RunChatPartition, ChatDeliveryService } from '@domain/chat';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Posts due messages to the chat of a workspace. */
@Injectable()
export class ChatWorkProcessor extends JobProcessor<RunChatPartition> {
  readonly queue = 'chat-lane' as const;

  constructor(private readonly delivery: ChatDeliveryService) {
    super();
  }

  async handle(payload: RunChatPartition, signal: AbortSignal): Promise<void> {
    await this.delivery.run(payload, signal);
  }
}
