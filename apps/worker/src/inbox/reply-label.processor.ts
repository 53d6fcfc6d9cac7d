import { type AskLabel, ReplyLabelService } from '@domain/inbox';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Asks the language model for the label of a reply. */
@Processor('reply-label', getWorkerOptions('reply-label'))
export class ReplyLabelProcessor extends JobProcessor<AskLabel> {
  constructor(private readonly labels: ReplyLabelService) {
    super();
  }

  async handle(payload: AskLabel, signal: AbortSignal): Promise<void> {
    await this.labels.label(payload, signal);
  }
}
