import { type RunWarmupSend, WarmupSenderService } from '@domain/warmup';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Sends the warmup mails of a mailbox. */
@Processor('warmup-send', getWorkerOptions('warmup-send'))
export class WarmupSendProcessor extends JobProcessor<RunWarmupSend> {
  constructor(private readonly sender: WarmupSenderService) {
    super();
  }

  async handle(payload: RunWarmupSend, signal: AbortSignal): Promise<void> {
    await this.sender.run(payload, signal);
  }
}
