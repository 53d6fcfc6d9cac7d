import { type AskLabel, ReplyLabelService } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Asks the language model for the label of a reply. */
@Injectable()
export class ReplyLabelProcessor extends JobProcessor<AskLabel> {
  readonly queue = 'reply-label' as const;

  constructor(private readonly labels: ReplyLabelService) {
    super();
  }

  async handle(payload: AskLabel, signal: AbortSignal): Promise<void> {
    await this.labels.label(payload, signal);
  }
}
