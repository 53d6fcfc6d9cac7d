import { isDeepStrictEqual } from 'node:util';
import { type WorkspaceScope } from '@domain/access';
import { type SuppressionHooks, SUPPRESSION_HOOKS, SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Listens } from '@platform/hooks';
import { type Types } from 'mongoose';
import { type AgentHooks, AGENT_HOOKS } from '../agent-hooks';
import { type AgentRecord } from '../schemas/agent.record';
import { AgentRepliesService } from './agent-replies.service';
import { AgentReplyRepository } from './agent-reply.repository';

/** Number of replies that are read or deleted at once. */
const AT_ONCE = 1_000;

/**
 * Withdraws replies before a change is acknowledged that forbids them: the kill switch, a change or deletion of the
 * agent, a suppression.
 */
@Injectable()
@Listens(SUPPRESSION_HOOKS)
@Listens(AGENT_HOOKS)
export class AgentReplyStopListener implements AgentHooks, SuppressionHooks {
  constructor(
    private readonly replies: AgentRepliesService,
    private readonly repository: AgentReplyRepository,
    private readonly suppressions: SuppressionsService,
    private readonly clock: ClockPort,
  ) {}

  async switchedOff({ workspaceId }: WorkspaceScope, reason: string): Promise<void> {
    await this.replies.withdraw({ workspaceId }, { cause: 'kill_switch', reason });
  }

  /** Called in the transaction of the change. */
  async changed({ workspaceId }: WorkspaceScope, before: AgentRecord, after: AgentRecord | null): Promise<void> {
    const of = { workspaceId, agentId: before._id };
    if (!after?.isActive || !after.autonomousMode.enabled) {
      await this.replies.withdraw(of, { cause: 'agent', reason: getReason(after) });
      return;
    }
    const { autonomousMode, followupSettings } = after;
    const unchosen = { ...of, label: { $nin: autonomousMode.labels } };
    await this.replies.withdraw(unchosen, { cause: 'label', reason: 'The agent no longer answers this label' });
    const most = followupSettings.enabled ? followupSettings.maxFollowups : 0;
    const reason = 'The agent writes no follow-ups, or fewer than before';
    await this.replies.withdraw({ ...of, position: { $gt: most } }, { cause: 'silence', reason });
    // Approval, hours, limits and stop words apply to waiting replies of the inbox, too.
    if (!isDeepStrictEqual(before.autonomousMode, autonomousMode)) {
      await this.replies.recall(of, { reason: 'The rules of the agent have changed', dueAt: this.clock.now() });
    }
  }

  /** Deletes the replies of a deleted agent. */
  async erase(workspaceId: Types.ObjectId, agentId: Types.ObjectId, signal: AbortSignal): Promise<void> {
    do signal.throwIfAborted();
    while (await this.repository.eraseBatch(workspaceId, agentId, AT_ONCE));
  }

  async suppressed({ workspaceId }: WorkspaceScope): Promise<void> {
    for await (const page of this.repository.listPages(workspaceId, AT_ONCE)) {
      const emails = page.map(({ email }) => email);
      const listed = await this.suppressions.matching(workspaceId, emails);
      const ids = page.filter(({ email }) => listed.has(email)).map(({ _id }) => _id);
      const why = { cause: 'suppressed', reason: 'The address is on the suppression list' } as const;
      if (ids.length > 0) await this.replies.withdraw({ workspaceId, _id: { $in: ids } }, why);
    }
  }

  lifted(): Promise<void> {
    return Promise.resolve();
  }
}

function getReason(agent: AgentRecord | null): string {
  if (!agent) return 'The agent was deleted';
  return agent.isActive ? 'The agent no longer replies autonomously' : 'The agent is inactive';
}
