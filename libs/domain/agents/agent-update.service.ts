import { isDeepStrictEqual } from 'node:util';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { writeConflict, TransactionService } from '@platform/database';
import { conflict } from '@platform/errors';
import { type Model } from 'mongoose';
import { inactiveAgent } from './agent.errors';
import { AgentHookRegistry } from './agent-hook.registry';
import { AgentRepository } from './agent.repository';
import { type AgentResponse, toAgent } from './dto/agent.dto';
import { type UpdateAgentRequest } from './dto/agent-requests.dto';
import { AgentRecord } from './schemas/agent.record';
import { settingsWith } from './settings/agent-settings';
import { auditedChanges, auditTarget } from './agent-audit';
import { AgentDefaultsRepository } from './agent-defaults.repository';

type Changes = Partial<AgentRecord>;

/** Changing an agent, switching it off and on, making it the default. */
@Injectable()
export class AgentUpdateService {
  constructor(
    @InjectModel(AgentRecord.name) private readonly agents: Model<AgentRecord>,
    private readonly reads: AgentRepository,
    private readonly defaults: AgentDefaultsRepository,
    private readonly uses: AgentHookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Changes what is given and leaves the rest. What the agent may not do any more has been taken back when this returns.
   * @throws NOT_FOUND, VALIDATION_ERROR naming a website or working hours that are none, CONFLICT when an inactive one is to
   * become the default, or the default is to be none without another one
   */
  async update(workspace: WorkspaceScope, agentId: string, input: UpdateAgentRequest): Promise<AgentResponse> {
    const record = await this.transactions.run(async () => {
      await this.defaults.claim(workspace.workspaceId);
      const before = await this.reads.find(workspace, agentId);
      const changes = changesBy(before, input);
      const isNamed = isNewDefault(before, changes, input);
      return Object.keys(changes).length === 0 && !isNamed ? before : this.#write(workspace, before, changes, isNamed);
    });
    await this.uses.notified(workspace, record._id);
    return toAgent(record);
  }

  async #write(workspace: WorkspaceScope, before: AgentRecord, $set: Changes, isNamed: boolean): Promise<AgentRecord> {
    const { _id, workspaceId, revision } = before;
    const { matchedCount } = await this.agents.updateOne(
      { _id, workspaceId, revision, deletedAt: null },
      { $set, $inc: { revision: 1 } },
    );
    if (matchedCount === 0) throw writeConflict('The agent');
    await this.defaults.settle(workspace.workspaceId, isNamed ? _id : undefined);
    const after = await this.reads.find(workspace, _id.toHexString());
    const changes = auditedChanges(before, after);
    await this.audit.record(workspace, { action: 'agent.updated', target: auditTarget(_id), changes });
    await this.uses.changed(workspace, before, after);
    return after;
  }
}

/** What an update asks for, as far as it differs from what is stored. */
function changesBy(before: AgentRecord, input: UpdateAgentRequest): Changes {
  const { name = before.name, isActive = before.isActive } = input;
  const wanted = { name, isActive, ...settingsWith(before, input) };
  const fields = Object.keys(wanted) as (keyof typeof wanted)[];
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], wanted[field]));
  return Object.fromEntries(changed.map((field) => [field, wanted[field]]));
}

/** @throws CONFLICT */
function isNewDefault(before: AgentRecord, changes: Changes, { isDefault }: UpdateAgentRequest): boolean {
  if (isDefault === false && before.isDefault) throw conflict('Make another agent the default instead');
  if (isDefault === true && !(changes.isActive ?? before.isActive)) throw inactiveAgent();
  return isDefault === true && !before.isDefault;
}
