import { type RunChatPartition, ChatDeliveryService } from '@domain/chat';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Posts the due messages of one chat connection. */
@Processor('chat-work', getWorkerOptions('chat-work'))
export class ChatWorkProcessor extends JobProcessor<RunChatPartition> {
  constructor(private readonly runs: ChatDeliveryService) {
    super();
  }

  async handle(payload: RunChatPartition, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
