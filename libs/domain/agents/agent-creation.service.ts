import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CreditsService } from '@domain/credits';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { KeyedMutex } from '@platform/concurrency';
import { TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { tooManyAgents } from './agent.errors';
import { AgentHookRegistry } from './agent-hook.registry';
import { type AgentResponse, toAgent } from './dto/agent.dto';
import { type CreateAgentRequest } from './dto/agent-requests.dto';
import { AgentRecord } from './schemas/agent.record';
import { type AgentSettings, DEFAULT_SETTINGS, settingsWith } from './settings/agent-settings';
import { auditedChanges, auditTarget } from './agent-audit';
import { AgentDefaultsRepository } from './agent-defaults.repository';

/** Agents that a workspace may have. */
const MOST_AGENTS = 50;
/** What one costs, with its initial training. */
const CREDITS = 10;

/** How agents come to be. */
@Injectable()
export class AgentCreationService {
  /** All of a workspace change its credits and its default: at once they would only undo each other. */
  readonly #line = new KeyedMutex();

  constructor(
    @InjectModel(AgentRecord.name) private readonly agents: Model<AgentRecord>,
    private readonly defaults: AgentDefaultsRepository,
    private readonly uses: AgentHookRegistry,
    private readonly credits: CreditsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * An active agent, paid for. It is the default when that is asked for or there is no other one. With a website it begins to
   * learn.
   * @throws VALIDATION_ERROR naming a website or working hours that are none, INSUFFICIENT_CREDITS, LIMIT_EXCEEDED,
   * NOT_FOUND for a workspace that is gone; nothing is created then
   */
  async create(workspace: WorkspaceScope, input: CreateAgentRequest): Promise<AgentResponse> {
    const settings = settingsWith(DEFAULT_SETTINGS, input);
    const record = await this.#line.run(workspace.workspaceId, () =>
      this.transactions.run(() => this.#insert(workspace, input, settings)),
    );
    await this.uses.notified(workspace, record._id);
    return toAgent(record);
  }

  async #insert(
    workspace: WorkspaceScope,
    { name, isDefault = false }: CreateAgentRequest,
    settings: AgentSettings,
  ): Promise<AgentRecord> {
    const { workspaceId, actor } = workspace;
    const { ownerId } = await this.defaults.claim(workspaceId);
    const existing = await this.agents.countDocuments({ workspaceId, deletedAt: null });
    if (existing >= MOST_AGENTS) throw tooManyAgents(MOST_AGENTS);
    const _id = new Types.ObjectId();
    const operation = `agent:${_id.toHexString()}`;
    await this.credits.charge(workspace, { amount: CREDITS, reason: `Agent ${name}`, operation });
    await this.agents.create({
      ...settings,
      _id,
      workspaceId,
      // A key of the workspace stands for no person: its owner answers for what it does.
      userId: actor.userId ?? ownerId.toHexString(),
      name,
    });
    await this.defaults.settle(workspaceId, isDefault ? _id : undefined);
    const record = await this.agents.findOne({ workspaceId, _id }).orFail().lean<AgentRecord>().orFail();
    const changes = auditedChanges(null, record);
    await this.audit.record(workspace, { action: 'agent.created', target: auditTarget(_id), changes });
    await this.uses.created(workspace, record);
    return record;
  }
}
