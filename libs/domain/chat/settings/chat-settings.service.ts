import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CampaignRepository } from '@domain/campaigns';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId, TransactionService } from '@platform/database';
import { invalidField, notFound, validationFailed } from '@platform/errors';
import { type Types, type Model } from 'mongoose';
import { ChatWorkPartitionService } from '../delivery/chat-work-partition.service';
import { type SlackResponse, toSlack } from '../dto/chat.dto';
import { type SetSlackRequest } from '../dto/chat-requests.dto';
import { ChatConnectionRecord } from '../schemas/chat-connection.record';
import { ChatMessageRepository } from '../delivery/chat-message.repository';
import { ChatConnectionRepository, type ChatChange } from './chat-connection.repository';
import { ChatChannelsService } from './chat-channels.service';
import { findFaults, toSettings } from './chat-settings';

/** The chat settings of a workspace. */
@Injectable()
export class ChatSettingsService {
  constructor(
    private readonly connections: ChatConnectionRepository,
    private readonly channels: ChatChannelsService,
    private readonly partitions: ChatWorkPartitionService,
    private readonly campaigns: CampaignRepository,
    private readonly transactions: TransactionService,
    @InjectModel(ChatConnectionRecord.name) private readonly records: Model<ChatConnectionRecord>,
    private readonly posts: ChatMessageRepository,
    private readonly audit: AuditService,
  ) {}

  /** @throws NOT_FOUND when nothing is connected */
  async get({ workspaceId }: WorkspaceScope): Promise<SlackResponse> {
    const found = await this.connections.find(workspaceId);
    if (!found) throw notFound('Integration');
    return toSlack(found);
  }

  /**
   * Replaces the settings; omitted credentials and channel stay. Waiting messages follow the new settings.
   * @throws VALIDATION_ERROR naming what is wrong, CONFLICT after a concurrent change, ChatError
   */
  async set(workspace: WorkspaceScope, input: SetSlackRequest): Promise<SlackResponse> {
    const before = await this.connections.find(workspace.workspaceId);
    const faults = findFaults(input, before);
    if (faults.length > 0) throw validationFailed(faults);
    const change = await this.#change(workspace, before, input);
    const after = await this.transactions.run(() => this.connections.save(workspace, before, change));
    await this.partitions.enqueue([workspace.workspaceId]);
    if (before && change.access) await this.channels.revokeToken(before);
    return toSlack(after);
  }

  /**
   * Removes the connection with its secret, settings and messages, and revokes the token; posted messages stay in the
   * channel. After a crash, unreachable messages expire after 30 days.
   * @throws NOT_FOUND when nothing is connected
   */
  async remove(workspace: WorkspaceScope): Promise<MessageResponse> {
    const removed = await this.transactions.run(async () => {
      const { workspaceId } = workspace;
      const before = await this.records.findOneAndDelete({ workspaceId }).lean<ChatConnectionRecord>();
      if (!before) throw notFound('Integration');
      await this.partitions.remove(before.workspaceId, before._id);
      await this.audit.record(workspace, {
        action: 'integration.removed',
        target: { type: 'integration', id: before._id.toHexString() },
      });
      return before;
    });
    await this.posts.removeAll(removed);
    await this.channels.revokeToken(removed);
    return { message: 'Integration removed' };
  }

  async #change(
    { workspaceId }: WorkspaceScope,
    before: ChatConnectionRecord | null,
    input: SetSlackRequest,
  ): Promise<ChatChange> {
    const { webhookUrl, channelId, teamName } = input;
    const settings = { ...toSettings(input), campaignIds: await this.#campaigns(workspaceId, input.campaignIds) };
    if (webhookUrl !== undefined) {
      const access = await this.channels.checkWebhook(webhookUrl, teamName ?? '');
      return { access, channel: null, settings, isReached: true };
    }
    const named = teamName === undefined ? {} : { teamName };
    if (before === null || channelId === undefined) return { ...named, settings, isReached: false };
    return { ...named, settings, channel: await this.channels.chooseChannel(before, channelId), isReached: true };
  }

  async #campaigns(workspaceId: string, input: readonly string[]): Promise<Types.ObjectId[]> {
    const ids = [...new Set(input)].map(parseId).filter((id) => id !== null);
    const found = (await this.campaigns.existing(ids)).filter((one) => one.workspaceId.equals(workspaceId));
    if (found.length === new Set(input).size) return ids;
    throw invalidField('campaignIds', 'campaignIds must be ids of campaigns of this workspace');
  }
}
