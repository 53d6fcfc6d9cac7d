import { EnrichmentTurns, type RunEnrichmentLane } from '@domain/enrichment';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Does the enrichment jobs of a workspace. */
@Injectable()
export class EnrichmentLaneProcessor extends JobProcessor<RunEnrichmentLane> {
  readonly queue = 'enrichment-lane' as const;

  constructor(private readonly turns: EnrichmentTurns) {
    super();
  }

  async handle(payload: RunEnrichmentLane, signal: AbortSignal): Promise<void> {
    await this.turns.run(payload, signal);
  }
}
