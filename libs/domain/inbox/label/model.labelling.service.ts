import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { ConversationWatches } from '../conversations/conversation.watches';
import { LabelEffect } from '../effects/label.effect.service';
import { KnownLeads } from '../match/known.leads.service';
import { type ModelLabel } from './label.question';
import { LabelWaiting, type WaitingLabel } from './label.waiting.service';

/** Writes what the model said. */
@Injectable()
export class ModelLabelling {
  constructor(
    private readonly waiting: LabelWaiting,
    private readonly known: KnownLeads,
    private readonly effects: LabelEffect,
    private readonly watches: ConversationWatches,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * The label with what follows from it, together and once: nothing when a person has labelled meanwhile, or a newer answer
   * came.
   * @param at when the answer came
   */
  async write(waiting: WaitingLabel, at: Date, { label, reason }: ModelLabel, model: string): Promise<void> {
    const why = `${reason} (${model})`;
    await this.transactions.run(async () => {
      if (!(await this.waiting.settle(waiting, label, why))) return;
      await this.watches.moved(waiting.conversation, { kind: 'labelled' });
      const { workspaceId, leadId } = waiting.conversation;
      const match = leadId && label === 'positive' ? await this.known.find(workspaceId, leadId) : null;
      if (match) await this.effects.positive(match, waiting.conversation, at, { label, by: 'llm', reason: why });
    });
  }
}
