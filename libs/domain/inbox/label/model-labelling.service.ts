import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { ConversationHookRegistry } from '../conversations/conversation-hook.registry';
import { LabelEffectService } from '../effects/label-effect.service';
import { KnownLeadsService } from '../conversations/known-leads.service';
import { type ModelLabel } from './label-question';
import { LabelRequestRepository, type WaitingLabel } from './label-request.repository';

/** Writes what the model said. */
@Injectable()
export class ModelLabellingService {
  constructor(
    private readonly waiting: LabelRequestRepository,
    private readonly known: KnownLeadsService,
    private readonly effects: LabelEffectService,
    private readonly watches: ConversationHookRegistry,
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
      await this.watches.conversationChanged(waiting.conversation, { kind: 'labelled' });
      const { workspaceId, leadId } = waiting.conversation;
      const match = leadId && label === 'positive' ? await this.known.find(workspaceId, leadId) : null;
      if (match) await this.effects.positive(match, waiting.conversation, at, { label, by: 'llm', reason: why });
    });
  }
}
