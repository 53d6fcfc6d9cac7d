import { MailboxTurns } from '@domain/sending';
import { type MailboxTurn } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Gives a mailbox its turn. */
@Injectable()
export class MailboxTurnProcessor extends JobProcessor<MailboxTurn> {
  readonly queue = 'mailbox-turn' as const;

  constructor(private readonly turns: MailboxTurns) {
    super();
  }

  async handle(payload: MailboxTurn, signal: AbortSignal): Promise<void> {
    await this.turns.run(payload, signal);
  }
}
