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
    const report = (error: unknown, sendId: string) =>
      this.log.error('A send could not be resolved and is retried', error, { sendId });
    await this.resolver.resolveSends(signal, report);
    await this.resolver.resolveReplies(signal, report);
  }
}
