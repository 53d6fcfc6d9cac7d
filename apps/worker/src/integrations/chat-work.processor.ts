import { ChatDeliveryService } from '@domain/chat';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { type RunWorkPartition } from '@platform/work-partitions';
import { JobProcessor } from '../jobs';

/** Posts the due messages of one chat connection. */
@Processor('chat-work', getWorkerOptions('chat-work'))
export class ChatWorkProcessor extends JobProcessor<RunWorkPartition> {
  constructor(private readonly runs: ChatDeliveryService) {
    super();
  }

  async handle(payload: RunWorkPartition, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
