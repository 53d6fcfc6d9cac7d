import { type WarmupTurn, WarmupTurns } from '@domain/warmup';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Sends the warmup mail of a mailbox. */
@Injectable()
export class WarmupTurnProcessor extends JobProcessor<WarmupTurn> {
  readonly queue = 'warmup-turn' as const;

  constructor(private readonly turns: WarmupTurns) {
    super();
  }

  async handle(payload: WarmupTurn, signal: AbortSignal): Promise<void> {
    await this.turns.run(payload, signal);
  }
}
