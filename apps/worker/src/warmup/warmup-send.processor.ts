import { type RunWarmupSend, WarmupSenderService } from '@domain/warmup';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Sends the warmup mails of a mailbox. */
@Injectable()
export class WarmupSendProcessor extends JobProcessor<RunWarmupSend> {
  readonly queue = 'warmup-send' as const;

  constructor(private readonly sender: WarmupSenderService) {
    super();
  }

  async handle(payload: RunWarmupSend, signal: AbortSignal): Promise<void> {
    await this.sender.run(payload, signal);
  }
}
