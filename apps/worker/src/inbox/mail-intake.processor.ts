import { MailIntakeService, type TakeMailIn } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Classifies new mail of a mailbox. */
@Injectable()
export class MailIntakeProcessor extends JobProcessor<TakeMailIn> {
  readonly queue = 'mail-intake' as const;

  constructor(private readonly intake: MailIntakeService) {
    super();
  }

  async handle(payload: TakeMailIn, signal: AbortSignal): Promise<void> {
    await this.intake.process(payload, signal);
  }
}
