import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { writeConflict, TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { AgentHookRegistry } from './agent-hook.registry';
import { AgentRepository } from './agent.repository';
import { AgentRecord } from './schemas/agent.record';
import { auditedChanges, auditTarget } from './agent-audit';
import { AgentDefaultsRepository } from './agent-defaults.repository';

/** The end of an agent. What it has sent stays in its conversations. */
@Injectable()
export class AgentDeletionService {
  constructor(
    @InjectModel(AgentRecord.name) private readonly agents: Model<AgentRecord>,
    private readonly reads: AgentRepository,
    private readonly defaults: AgentDefaultsRepository,
    private readonly uses: AgentHookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The agent is gone at once, and what it had planned is taken back; the worker erases what it wrote and learnt. Was it the
   * default, the oldest active one of the others is now.
   * @throws NOT_FOUND
   */
  async delete(workspace: WorkspaceScope, agentId: string): Promise<MessageResponse> {
    const { _id } = await this.transactions.run(async () => {
      await this.defaults.claim(workspace.workspaceId);
      const before = await this.reads.find(workspace, agentId);
      await this.#remove(before);
      await this.defaults.settle(workspace.workspaceId);
      const changes = auditedChanges(before, null);
      await this.audit.record(workspace, { action: 'agent.deleted', target: auditTarget(before._id), changes });
      await this.uses.changed(workspace, before, null);
      return before;
    });
    await this.uses.notified(workspace, _id);
    return { message: 'Agent deleted' };
  }

  async #remove({ _id, workspaceId, revision }: AgentRecord): Promise<void> {
    const { matchedCount } = await this.agents.updateOne(
      { _id, workspaceId, revision, deletedAt: null },
      { $set: { deletedAt: this.clock.now(), isDefault: false }, $inc: { revision: 1 } },
    );
    if (matchedCount === 0) throw writeConflict('The agent');
  }
}
