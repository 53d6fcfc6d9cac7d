import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { conflict } from '@platform/errors';
import { SecretBoxService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';
import { DEFAULT_CHAT_EVENTS } from '../chat-events';
import { chatSecretOwner } from '../chat-secrets';
import { ChatWorkPartitionService } from '../delivery/chat-work-partition.service';
import { ChatMessageRepository } from '../delivery/chat-message.repository';
import { type ChatChannelChoice, ChatConnectionRecord, type ChatWay } from '../schemas/chat-connection.record';
import { opens, waitingDueAt } from './chat-settings-change';
import { type ChatSettings } from './chat-settings';

/** What was seen to let us in. */
export interface ChatAccess {
  readonly way: ChatWay;
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
  /** The vendor has just let us in. */
  readonly isReached: boolean;
}

/** What the audit log tells of a change: settings, never the secret. */
const AUDITED = [
  'way',
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

/** Writes changes of people down, and when what waits is told from then on. */
@Injectable()
export class ChatConnectionWriteService {
  constructor(
    @InjectModel(ChatConnectionRecord.name) private readonly connections: Model<ChatConnectionRecord>,
    private readonly box: SecretBoxService,
    private readonly posts: ChatMessageRepository,
    private readonly lanes: ChatWorkPartitionService,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * In the running transaction; announce the lane after it.
   * @param before the connection that the change was checked against; null: there was none
   * @throws CONFLICT when it was changed meanwhile
   */
  async save(
    workspace: WorkspaceScope,
    before: ChatConnectionRecord | null,
    change: ChatChange,
  ): Promise<ChatConnectionRecord> {
    const { workspaceId } = workspace;
    // Two who connect at the same time are one after the other; a workspace that is gone gets nothing.
    await this.limits.claim(workspaceId);
    const now = this.clock.now();
    const after = before ? await this.#update(before, change) : await this.#create(workspaceId, change);
    const at = waitingDueAt(before, after, now);
    await this.posts.replan(after, at);
    await this.lanes.schedule([{ workspaceId: after.workspaceId, connectionId: after._id, at }]);
    const isNew = change.access !== undefined || before?.status !== after.status;
    await this.audit.record(workspace, {
      action: isNew ? 'integration.connected' : 'integration.updated',
      target: { type: 'integration', id: after._id.toHexString() },
      changes: getChanges(before, after, AUDITED),
    });
    return after;
  }

  async #create(workspaceId: string, { access, channel = null, settings }: ChatChange): Promise<ChatConnectionRecord> {
    if (!access || (await this.connections.exists({ workspaceId }))) throw changedMeanwhile();
    const _id = new Types.ObjectId();
    const made = await this.connections.create({
      _id,
      workspaceId: new Types.ObjectId(workspaceId),
      ...DEFAULTS,
      ...settings,
      ...this.#sealed(workspaceId, _id, access),
      channel,
      status: 'connected',
      checkedAt: this.clock.now(),
      revision: 1,
    });
    return made.toObject<ChatConnectionRecord>();
  }

  async #update(before: ChatConnectionRecord, change: ChatChange): Promise<ChatConnectionRecord> {
    const { _id, workspaceId, revision, enabled, status, way, channel: chosen } = before;
    const { access, channel, settings, teamName, isReached } = change;
    const next = {
      ...settings,
      ...(access && this.#sealed(workspaceId.toHexString(), _id, access)),
      ...(teamName !== undefined && { teamName }),
      ...(channel !== undefined && { channel }),
      ...(isReached && { status: 'connected' as const, lastError: null, checkedAt: this.clock.now() }),
    };
    const isOpened = opens(before, { enabled, status, way, channel: chosen, ...next });
    const after = await this.connections
      .findOneAndUpdate(
        { _id, workspaceId, revision },
        {
          // Somebody looked after it: it is tried again at once.
          $set: { ...next, restUntil: null, failures: 0, ...(isOpened && { catchUpUntil: this.clock.now() }) },
          $inc: { revision: 1 },
        },
        { returnDocument: 'after' },
      )
      .lean<ChatConnectionRecord>();
    if (!after) throw changedMeanwhile();
    return after;
  }

  #sealed(workspaceId: string, _id: Types.ObjectId, { way, secret, teamId, teamName }: ChatAccess) {
    return { way, secret: this.box.seal(secret, chatSecretOwner(workspaceId, _id)), teamId, teamName };
  }
}

function changedMeanwhile() {
  return conflict('Slack was connected or changed by somebody else meanwhile; read it again');
}
