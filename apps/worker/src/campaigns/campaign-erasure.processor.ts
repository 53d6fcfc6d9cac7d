import { CampaignsService } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Erases the data of deleted campaigns. */
@Injectable()
export class CampaignErasureProcessor extends JobProcessor {
  readonly queue = 'campaign-erasure' as const;

  constructor(private readonly campaigns: CampaignsService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.campaigns.eraseDeleted(signal);
  }
}
