import { systemScope } from '@domain/access';
import { LeadStops } from '@domain/leads';
import { Suppressions } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { ReplyLabelQueue } from '../label/reply-label.queue';
import { type IntakeTask } from './intake.tasks';

/** Does what follows from a message outside of its transaction. After a failure all of it is done again, without harm. */
@Injectable()
export class IntakeFollowUps {
  constructor(
    private readonly stops: LeadStops,
    private readonly suppressions: Suppressions,
    private readonly labels: ReplyLabelQueue,
  ) {}

  async perform(workspaceId: string, tasks: readonly IntakeTask[]): Promise<void> {
    for (const task of tasks) await this.#perform(workspaceId, task);
  }

  async #perform(workspaceId: string, task: IntakeTask): Promise<void> {
    switch (task.do) {
      case 'withhold':
        return this.stops.withhold(workspaceId, { leadIds: [task.leadId] }, task.reason);
      case 'stop_company': {
        const { campaignId, domain } = task;
        await this.stops.stop(workspaceId, { campaignId, domains: [domain] }, { reason: 'company_replied' });
        return;
      }
      case 'suppress': {
        const { address, reason, source, sendId } = task;
        await this.suppressions.add(systemScope(workspaceId), { addresses: [address], reason }, { source, sendId });
        return;
      }
      case 'ask_label': {
        const { conversationId, messageId } = task;
        return this.labels.announce({ workspaceId, conversationId, messageId });
      }
      case 'opt_out': {
        const { address, sendId } = task;
        const reason = 'An answer asked for it';
        const origin = { source: 'unsubscribe', sendId } as const;
        await this.suppressions.add(systemScope(workspaceId), { addresses: [address], reason }, origin);
        return;
      }
    }
  }
}
