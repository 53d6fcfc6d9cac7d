import { MailIntakeService, type TakeMailIn } from '@domain/inbox';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Processes the new mail of a mailbox. */
@Processor('mail-intake', getWorkerOptions('mail-intake'))
export class MailIntakeProcessor extends JobProcessor<TakeMailIn> {
  constructor(private readonly intake: MailIntakeService) {
    super();
  }

  async handle(payload: TakeMailIn, signal: AbortSignal): Promise<void> {
    await this.intake.process(payload, signal);
  }
}
