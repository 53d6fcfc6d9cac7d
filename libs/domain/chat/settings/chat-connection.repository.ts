import { type ChatError, type ChatTarget } from '@adapters/chat';
import { systemScope, type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { EventsService } from '@domain/events';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { conflict } from '@platform/errors';
import { SecretBoxService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';
import { chatSecretOwner } from '../chat-secrets';
import { type PostOutcome } from '../delivery/post-outcome';
import {
  ChatConnectionRecord,
  type ChatProblem,
  type ChatChannelChoice,
  type ChatWay,
} from '../schemas/chat-connection.record';
import { DEFAULT_CHAT_EVENTS } from '../chat-events';
import { ChatWorkPartitionService } from '../delivery/chat-work-partition.service';
import { ChatMessageRepository } from '../delivery/chat-message.repository';
import { isOpened, getWaitingDueAt } from './chat-settings-change';
import { type ChatSettings } from './chat-settings';

type Id = Types.ObjectId | string;

/** The chat in `GET /v1/integrations`. */
export interface ChatConnectionStatus {
  readonly connected: boolean;
  readonly teamName: string;
}

/** Verified credentials. */
export interface ChatAccess {
  readonly authMethod: ChatWay;
  /** In plain. */
  readonly secret: string;
  readonly teamId: string;
  readonly teamName: string;
}

export interface ChatChange {
  readonly access?: ChatAccess;
  readonly teamName?: string;
  /** null: none. */
  readonly channel?: ChatChannelChoice | null;
  readonly settings?: ChatSettings & Pick<ChatConnectionRecord, 'campaignIds'>;
  /** The vendor has just accepted the credentials. */
  readonly isReached: boolean;
}

/** The audited settings; never the secret. */
const AUDITED = [
  'authMethod',
  'status',
  'teamName',
  'channel',
  'enabled',
  'events',
  'campaignIds',
  'mode',
  'everyMinutes',
  'timeOfDay',
  'timezone',
] as const;

const DEFAULTS: ChatSettings = {
  enabled: true,
  events: [...DEFAULT_CHAT_EVENTS],
  mode: 'instant',
  everyMinutes: null,
  timeOfDay: null,
  timezone: 'UTC',
};

/** Chat connections of workspaces. */
@Injectable()
export class ChatConnectionRepository {
  constructor(
    @InjectModel(ChatConnectionRecord.name) private readonly connections: Model<ChatConnectionRecord>,
    private readonly box: SecretBoxService,
    private readonly events: EventsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly posts: ChatMessageRepository,
    private readonly partitions: ChatWorkPartitionService,
    private readonly limits: WorkspaceLimitsService,
  ) {}

  /** By the vendor's last answer, not by the settings: a rejected connection is not connected. */
  async status(workspaceId: string): Promise<ChatConnectionStatus> {
    const found = await this.find(workspaceId);
    const connected = found?.status === 'connected';
    return { connected, teamName: connected ? found.teamName : '' };
  }

  /** The chat of a workspace; null when it has none. */
  async find(workspaceId: Id): Promise<ChatConnectionRecord | null> {
    return this.connections.findOne({ workspaceId }).lean<ChatConnectionRecord>();
  }

  /** Whether another workspace uses the same token: Slack has one per app and team. */
  async isTokenShared({ _id, teamId }: Pick<ChatConnectionRecord, '_id' | 'teamId'>): Promise<boolean> {
    const other = await this.connections
      .exists({ teamId: { $eq: teamId, $gt: '' }, authMethod: 'consent', _id: { $ne: _id } })
      .setOptions({ allWorkspaces: 'two workspaces may be told things in the same team' });
    return other !== null;
  }

  /** Returns the decrypted secret. @throws SecretOpenError when its key no longer exists */
  secret({ _id, workspaceId, secret }: Pick<ChatConnectionRecord, '_id' | 'workspaceId' | 'secret'>): string {
    return this.box.open(secret, chatSecretOwner(workspaceId, _id));
  }

  /** Where messages go; null while no channel is chosen. */
  target(connection: ChatConnectionRecord): ChatTarget | null {
    const { authMethod, channel } = connection;
    if (authMethod === 'webhook') return { kind: 'webhook', url: this.secret(connection) };
    return channel && { kind: 'bot', token: this.secret(connection), channelId: channel.id };
  }

  /**
   * Records the result of a post for the connection, in one transaction with its messages.
   * @param alongside joins the transaction
   */
  async recordPost(
    connection: ChatConnectionRecord,
    outcome: PostOutcome,
    error: ChatError | null,
    alongside: () => Promise<void>,
  ): Promise<void> {
    await this.transactions.run(async () => {
      await alongside();
      if (error !== null && outcome.disconnects) await this.markFailed(connection, error);
      else await this.#recordOutcome(connection, outcome, error);
    });
  }

  /**
   * Disconnects a chat whose credentials or channel were rejected, with one event. A connection that a person has
   * changed meanwhile stays as it is. Joins a running transaction.
   */
  async markFailed({ _id, workspaceId, revision }: ChatConnectionRecord, error: ChatError): Promise<void> {
    const now = this.clock.now();
    await this.transactions.run(async () => {
      const before = await this.connections
        .findOneAndUpdate(
          { _id, workspaceId, revision, status: 'connected' },
          { $set: { status: 'disconnected', checkedAt: now, lastError: toProblem(error, now) } },
          { returnDocument: 'before', timestamps: false },
        )
        .lean<ChatConnectionRecord>();
      if (!before) return;
      const workspace = systemScope(workspaceId.toHexString());
      const id = _id.toHexString();
      await this.audit.record(workspace, {
        action: 'integration.disconnected',
        target: { type: 'integration', id },
        changes: { status: { from: 'connected', to: 'disconnected' } },
      });
      await this.events.record(workspace, {
        type: 'integration.disconnected',
        dedupeKey: `integration.disconnected:${id}:${revision}`,
        about: {},
        data: { name: 'slack', code: error.code, reason: error.message },
      });
    });
  }

  /** Records accepted credentials, unless a person has changed the connection meanwhile. */
  async markAuthorized({ _id, workspaceId, revision }: ChatConnectionRecord): Promise<void> {
    const checkedAt = this.clock.now();
    await this.connections.updateOne({ _id, workspaceId, revision }, { $set: { checkedAt } }, { timestamps: false });
  }

  /**
   * Saves a change in the running transaction; enqueue the partition after it.
   * @param before the connection that the change was checked against; null: there was none
   * @throws CONFLICT when it was changed meanwhile
   */
  async save(
    workspace: WorkspaceScope,
    before: ChatConnectionRecord | null,
    change: ChatChange,
  ): Promise<ChatConnectionRecord> {
    const { workspaceId } = workspace;
    // Claims the workspace: concurrent connections are serialized, and a deleted workspace gets none.
    await this.limits.claim(workspaceId);
    const now = this.clock.now();
    const after = before ? await this.#update(before, change) : await this.#create(workspaceId, change);
    const at = getWaitingDueAt(before, after, now);
    await this.posts.reschedule(after, at);
    await this.partitions.schedule([{ workspaceId: after.workspaceId, connectionId: after._id, at }]);
    const isNew = change.access !== undefined || before?.status !== after.status;
    await this.audit.record(workspace, {
      action: isNew ? 'integration.connected' : 'integration.updated',
      target: { type: 'integration', id: after._id.toHexString() },
      changes: getChanges(before, after, AUDITED),
    });
    return after;
  }

  async #recordOutcome(
    { _id, workspaceId, revision }: ChatConnectionRecord,
    outcome: PostOutcome,
    error: ChatError | null,
  ) {
    const now = this.clock.now();
    const posted = outcome.state === 'posted' ? { lastPostedAt: now, checkedAt: now } : {};
    const lastError = error && toProblem(error, now);
    const { failures, cooldownMs } = outcome;
    // A connection that a person has changed meanwhile has no cooldown.
    await this.connections.updateOne(
      { _id, workspaceId, revision },
      { $set: { cooldownUntil: this.clock.in(cooldownMs), failures, lastError, ...posted } },
      { timestamps: false },
    );
  }

  async #create(workspaceId: string, { access, channel = null, settings }: ChatChange): Promise<ChatConnectionRecord> {
    if (!access || (await this.connections.exists({ workspaceId }))) throw changedMeanwhile();
    const _id = new Types.ObjectId();
    const made = await this.connections.create({
      _id,
      workspaceId: new Types.ObjectId(workspaceId),
      ...DEFAULTS,
      ...settings,
      ...this.#seal(workspaceId, _id, access),
      channel,
      status: 'connected',
      checkedAt: this.clock.now(),
      revision: 1,
    });
    return made.toObject<ChatConnectionRecord>();
  }

  async #update(before: ChatConnectionRecord, change: ChatChange): Promise<ChatConnectionRecord> {
    const { _id, workspaceId, revision, enabled, status, authMethod, channel: chosen } = before;
    const { access, channel, settings, teamName, isReached } = change;
    const next = {
      ...settings,
      ...(access && this.#seal(workspaceId.toHexString(), _id, access)),
      ...(teamName !== undefined && { teamName }),
      ...(channel !== undefined && { channel }),
      ...(isReached && { status: 'connected' as const, lastError: null, checkedAt: this.clock.now() }),
    };
    const isReopened = isOpened(before, { enabled, status, authMethod, channel: chosen, ...next });
    const after = await this.connections
      .findOneAndUpdate(
        { _id, workspaceId, revision },
        {
          // A change by a person ends the cooldown.
          $set: { ...next, cooldownUntil: null, failures: 0, ...(isReopened && { catchUpUntil: this.clock.now() }) },
          $inc: { revision: 1 },
        },
        { returnDocument: 'after' },
      )
      .lean<ChatConnectionRecord>();
    if (!after) throw changedMeanwhile();
    return after;
  }

  #seal(workspaceId: string, _id: Types.ObjectId, { authMethod, secret, teamId, teamName }: ChatAccess) {
    return { authMethod, secret: this.box.seal(secret, chatSecretOwner(workspaceId, _id)), teamId, teamName };
  }
}

function toProblem({ vendorCode, message }: ChatError, at: Date): ChatProblem {
  return { code: vendorCode, message, at };
}

function changedMeanwhile() {
  return conflict('Slack was connected or changed by another request meanwhile; read it again');
}
