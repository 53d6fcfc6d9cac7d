import { type RunChatPartition, ChatDeliveryService } from '@domain/chat';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Posts the due messages of one chat connection. */
@Injectable()
export class ChatWorkProcessor extends JobProcessor<RunChatPartition> {
  readonly queue = 'chat-work' as const;

  constructor(private readonly worker: ChatDeliveryService) {
    super();
  }

  async handle(payload: RunChatPartition, signal: AbortSignal): Promise<void> {
    await this.worker.run(payload, signal);
  }
}
