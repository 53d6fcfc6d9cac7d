import { systemScope } from '@domain/access';
import { LeadStopService, type StopReason } from '@domain/leads';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { ReplyLabelQueue } from '../label/reply-label.queue';
import { type IntakeTask } from './intake-tasks';

/** Does what follows from a message outside of its transaction. After a failure all of it is done again, without harm. */
@Injectable()
export class IntakeFollowUpsService {
  constructor(
    private readonly stops: LeadStopService,
    private readonly suppressions: SuppressionsService,
    private readonly labels: ReplyLabelQueue,
  ) {}

  async perform(workspaceId: string, tasks: readonly IntakeTask[]): Promise<void> {
    const [done] = await this.performEach(workspaceId, [tasks]);
    if (done?.status === 'rejected') throw done.reason;
  }

  /**
   * What follows from several messages; what is held back for the same reason is held back at once.
   * @returns for each message, in their order, whether that went well, like `Promise.allSettled`
   */
  async performEach(
    workspaceId: string,
    messages: readonly (readonly IntakeTask[])[],
  ): Promise<PromiseSettledResult<void>[]> {
    const withheld = new Map<StopReason, Promise<void>>();
    const held = messages.flat().filter((task) => task.do === 'withhold');
    for (const [reason, tasks] of Map.groupBy(held, (task) => task.reason)) {
      const leadIds = [...new Set(tasks.map(({ leadId }) => leadId))];
      const done = this.stops.withhold(workspaceId, { leadIds }, reason);
      done.catch(() => undefined);
      withheld.set(reason, done);
    }
    return Promise.allSettled(messages.map((tasks) => this.#performAll(workspaceId, tasks, withheld)));
  }

  async #performAll(
    workspaceId: string,
    tasks: readonly IntakeTask[],
    withheld: ReadonlyMap<StopReason, Promise<void>>,
  ): Promise<void> {
    for (const task of tasks) {
      await (task.do === 'withhold' ? withheld.get(task.reason) : this.#perform(workspaceId, task));
    }
  }

  async #perform(workspaceId: string, task: Exclude<IntakeTask, { do: 'withhold' }>): Promise<void> {
    switch (task.do) {
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
        return this.labels.enqueue({ workspaceId, conversationId, messageId });
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
