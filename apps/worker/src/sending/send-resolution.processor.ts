import { SendResolverService } from '@domain/sending';
import { Injectable } from '@nestjs/common';
import { LogService } from '@platform/observability';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Resolves emails whose outcome is unknown. */
@Injectable()
export class SendResolutionProcessor extends JobProcessor {
  readonly queue = 'send-resolution' as const;

  constructor(
    private readonly resolver: SendResolverService,
    private readonly log: LogService,
  ) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.resolver.resolveDue(signal, (error, sendId) =>
      this.log.error('A send could not be resolved and is retried', error, { sendId }),
    );
  }
}
