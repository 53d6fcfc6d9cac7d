import { isDeepStrictEqual } from 'node:util';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CreditsService } from '@domain/credits';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { KeyedMutex } from '@platform/concurrency';
import { type Page, PageService, searchFilter, TransactionService, writeConflict } from '@platform/database';
import { conflict } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { getAuditedAgentChanges, toAgentTarget } from './agent-audit';
import { AGENT_HOOKS } from './agent-hooks';
import { inactiveAgent, tooManyAgents } from './agent.errors';
import { AgentRepository } from './agent.repository';
import { type AgentQuery, type CreateAgentRequest, type UpdateAgentRequest } from './dto/agent-requests.dto';
import { type AgentDetailsResponse, type AgentResponse, toAgent, toAgentDetails } from './dto/agent.dto';
import { AgentRecord } from './schemas/agent.record';
import { type AgentSettings, DEFAULT_SETTINGS, mergeSettings } from './settings/agent-settings';
import { AgentTrainingsService } from './training/agent-trainings.service';

/** Fields that no list returns. */
const UNLISTED = ['autonomousMode', 'followupSettings', 'website'];

/** Maximum number of agents of a workspace. */
const MAX_AGENTS = 50;

/** Credits for one agent, with its initial training. */
const AGENT_PRICE = 10;

type Changes = Partial<AgentRecord>;

/**
 * Milliseconds during which the data of a deleted agent is erased repeatedly: longer than any task that has read the
 * agent before.
 */
const REMEMBERED_MS = 3_600_000;

type Deleted = Pick<AgentRecord, '_id' | 'workspaceId' | 'deletedAt'>;

/** Agents as the users of the API see and change them. */
@Injectable()
export class AgentsService {
  /** Serialises the creations of a workspace: concurrent ones would conflict on its credits and its default. */
  readonly #line = new KeyedMutex();

  constructor(
    @InjectModel(AgentRecord.name) private readonly agents: Model<AgentRecord>,
    private readonly repository: AgentRepository,
    private readonly pages: PageService,
    private readonly trainings: AgentTrainingsService,
    private readonly hooks: HookRegistry,
    private readonly credits: CreditsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Lists agents, newest first. `search` covers the name. */
  async list({ workspaceId }: WorkspaceScope, { search, limit, cursor }: AgentQuery): Promise<Page<AgentResponse>> {
    const filter = { workspaceId, deletedAt: null, ...searchFilter(search, ['name']) };
    const page = { limit, cursor };
    return this.pages.read(this.agents, { scope: workspaceId, filter, without: UNLISTED, page }, toAgent);
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, agentId: string): Promise<AgentResponse> {
    return toAgent(await this.repository.find(workspace, agentId));
  }

  /** @throws NOT_FOUND */
  async details(workspace: WorkspaceScope, agentId: string): Promise<AgentDetailsResponse> {
    const agent = await this.repository.find(workspace, agentId);
    return toAgentDetails(agent, await this.trainings.findStatus(agent.workspaceId, agent._id));
  }

  /**
   * Creates an active agent and charges its credits. It becomes the default if requested, or if it is the only one. A
   * website starts its training.
   * @throws VALIDATION_ERROR naming an invalid website or working hours, INSUFFICIENT_CREDITS, LIMIT_EXCEEDED,
   *   NOT_FOUND for a deleted workspace; nothing is created then
   */
  async create(workspace: WorkspaceScope, input: CreateAgentRequest): Promise<AgentResponse> {
    const settings = mergeSettings(DEFAULT_SETTINGS, input);
    const record = await this.#line.run(workspace.workspaceId, () =>
      this.transactions.run(() => this.#insert(workspace, input, settings)),
    );
    await this.hooks.call(AGENT_HOOKS, 'notified', workspace, record._id);
    return toAgent(record);
  }

  /**
   * Changes the given fields. When it returns, everything that the agent may no longer do is withdrawn.
   * @throws NOT_FOUND, VALIDATION_ERROR naming an invalid website or working hours, CONFLICT when an inactive agent is
   *   to become the default, or the default is removed without a new one
   */
  async update(workspace: WorkspaceScope, agentId: string, input: UpdateAgentRequest): Promise<AgentResponse> {
    const record = await this.transactions.run(async () => {
      await this.repository.claimWorkspace(workspace.workspaceId);
      const before = await this.repository.find(workspace, agentId);
      const changes = getChangedSettings(before, input);
      const isNamed = becomesDefault(before, changes, input);
      return Object.keys(changes).length === 0 && !isNamed ? before : this.#write(workspace, before, changes, isNamed);
    });
    await this.hooks.call(AGENT_HOOKS, 'notified', workspace, record._id);
    return toAgent(record);
  }

  /**
   * Deletes the agent at once and withdraws its planned replies; the worker erases its data. If it was the default, the
   * oldest active agent becomes the default.
   * @throws NOT_FOUND
   */
  async delete(workspace: WorkspaceScope, agentId: string): Promise<MessageResponse> {
    const { _id } = await this.transactions.run(async () => {
      await this.repository.claimWorkspace(workspace.workspaceId);
      const before = await this.repository.find(workspace, agentId);
      await this.#markDeleted(before);
      await this.repository.settleDefault(workspace.workspaceId);
      const changes = getAuditedAgentChanges(before, null);
      await this.audit.record(workspace, { action: 'agent.deleted', target: toAgentTarget(before._id), changes });
      await this.hooks.call(AGENT_HOOKS, 'changed', workspace, before, null);
      return before;
    });
    await this.hooks.call(AGENT_HOOKS, 'notified', workspace, _id);
    return { message: 'Agent deleted' };
  }

  /**
   * Erases the data of deleted agents; continues after an interruption. The last erasure, one hour after the deletion,
   * deletes the record of the agent, too.
   */
  async eraseDeleted(signal: AbortSignal): Promise<void> {
    const forgottenBy = this.clock.in(-REMEMBERED_MS);
    const deleted = this.agents
      .find({ deletedAt: { $gt: new Date(0) } }, { workspaceId: 1, deletedAt: 1 })
      .setOptions({ allWorkspaces: 'the worker erases the deleted agents of all workspaces' })
      .sort({ deletedAt: 1, _id: 1 })
      .lean<Deleted[]>()
      .cursor();
    for await (const { _id, workspaceId, deletedAt } of deleted as AsyncIterable<Deleted>) {
      signal.throwIfAborted();
      await this.hooks.call(AGENT_HOOKS, 'erase', workspaceId, _id, signal);
      if (deletedAt && deletedAt <= forgottenBy) await this.agents.deleteOne({ _id, workspaceId });
    }
  }

  async #insert(
    workspace: WorkspaceScope,
    { name, isDefault = false }: CreateAgentRequest,
    settings: AgentSettings,
  ): Promise<AgentRecord> {
    const { workspaceId, actor } = workspace;
    const { ownerId } = await this.repository.claimWorkspace(workspaceId);
    const existing = await this.agents.countDocuments({ workspaceId, deletedAt: null });
    if (existing >= MAX_AGENTS) throw tooManyAgents(MAX_AGENTS);
    const _id = new Types.ObjectId();
    const operation = `agent:${_id.toHexString()}`;
    await this.credits.charge(workspace, { amount: AGENT_PRICE, reason: `Agent ${name}`, operation });
    await this.agents.create({
      ...settings,
      _id,
      workspaceId,
      // A workspace key belongs to no person: the owner of the workspace is responsible.
      userId: actor.userId ?? ownerId.toHexString(),
      name,
    });
    await this.repository.settleDefault(workspaceId, isDefault ? _id : undefined);
    const record = await this.agents.findOne({ workspaceId, _id }).orFail().lean<AgentRecord>().orFail();
    const changes = getAuditedAgentChanges(null, record);
    await this.audit.record(workspace, { action: 'agent.created', target: toAgentTarget(_id), changes });
    await this.hooks.call(AGENT_HOOKS, 'created', workspace, record);
    return record;
  }

  async #write(workspace: WorkspaceScope, before: AgentRecord, $set: Changes, isNamed: boolean): Promise<AgentRecord> {
    const { _id, workspaceId, revision } = before;
    const { matchedCount } = await this.agents.updateOne(
      { _id, workspaceId, revision, deletedAt: null },
      { $set, $inc: { revision: 1 } },
    );
    if (matchedCount === 0) throw writeConflict('The agent');
    await this.repository.settleDefault(workspace.workspaceId, isNamed ? _id : undefined);
    const after = await this.repository.find(workspace, _id.toHexString());
    const changes = getAuditedAgentChanges(before, after);
    await this.audit.record(workspace, { action: 'agent.updated', target: toAgentTarget(_id), changes });
    await this.hooks.call(AGENT_HOOKS, 'changed', workspace, before, after);
    return after;
  }

  async #markDeleted({ _id, workspaceId, revision }: AgentRecord): Promise<void> {
    const { matchedCount } = await this.agents.updateOne(
      { _id, workspaceId, revision, deletedAt: null },
      { $set: { deletedAt: this.clock.now(), isDefault: false }, $inc: { revision: 1 } },
    );
    if (matchedCount === 0) throw writeConflict('The agent');
  }
}

/** The fields of an update that differ from the stored agent. */
function getChangedSettings(before: AgentRecord, input: UpdateAgentRequest): Changes {
  const { name = before.name, isActive = before.isActive } = input;
  const after = { name, isActive, ...mergeSettings(before, input) };
  const fields = Object.keys(after) as (keyof typeof after)[];
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, after[field]]));
}

/** @throws CONFLICT */
function becomesDefault(before: AgentRecord, changes: Changes, { isDefault }: UpdateAgentRequest): boolean {
  if (isDefault === false && before.isDefault) throw conflict('Make another agent the default instead');
  if (isDefault === true && !(changes.isActive ?? before.isActive)) throw inactiveAgent();
  return isDefault === true && !before.isDefault;
}
