import { type WorkspaceScope } from '@domain/access';
import { CampaignRepository } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { parseId, TransactionService } from '@platform/database';
import { invalidField, notFound, validationFailed } from '@platform/errors';
import { type Types } from 'mongoose';
import { ChatWorkPartitionService } from '../delivery/chat-work-partition.service';
import { type SlackResponse, toSlack } from '../dto/chat.dto';
import { type SetSlackRequest } from '../dto/chat-requests.dto';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { ChatConnectionRepository } from './chat-connection.repository';
import { type ChatChange, ChatConnectionWriteService } from './chat-connection-write.service';
import { ChatReachService } from './chat-reach.service';
import { getFaults, getSettings } from './chat-settings';

/** The chat of a workspace, as its people set it. */
@Injectable()
export class ChatSettingsService {
  constructor(
    private readonly connections: ChatConnectionRepository,
    private readonly reach: ChatReachService,
    private readonly keeping: ChatConnectionWriteService,
    private readonly lanes: ChatWorkPartitionService,
    private readonly campaigns: CampaignRepository,
    private readonly transactions: TransactionService,
  ) {}

  /** @throws NOT_FOUND when nothing is connected */
  async get({ workspaceId }: WorkspaceScope): Promise<SlackResponse> {
    const found = await this.connections.find(workspaceId);
    if (!found) throw notFound('Integration');
    return toSlack(found);
  }

  /**
   * Sets all of it; what lets us in, and the channel, stay when they are not given. What waits is told by the new settings.
   * @throws VALIDATION_ERROR naming what is wrong, CONFLICT when somebody else was faster, ChatError
   */
  async set(workspace: WorkspaceScope, input: SetSlackRequest): Promise<SlackResponse> {
    const before = await this.connections.find(workspace.workspaceId);
    const faults = getFaults(input, before);
    if (faults.length > 0) throw validationFailed(faults);
    const change = await this.#change(workspace, before, input);
    const after = await this.transactions.run(() => this.keeping.save(workspace, before, change));
    await this.lanes.enqueue([workspace.workspaceId]);
    if (before && change.access) await this.reach.revoke(before);
    return toSlack(after);
  }

  async #change(
    { workspaceId }: WorkspaceScope,
    before: ChatConnectionRecord | null,
    input: SetSlackRequest,
  ): Promise<ChatChange> {
    const { webhookUrl, channelId, teamName } = input;
    const settings = { ...getSettings(input), campaignIds: await this.#campaigns(workspaceId, input.campaignIds) };
    if (webhookUrl !== undefined) {
      const access = await this.reach.webhook(webhookUrl, teamName ?? '');
      return { access, channel: null, settings, isReached: true };
    }
    const named = teamName === undefined ? {} : { teamName };
    if (before === null || channelId === undefined) return { ...named, settings, isReached: false };
    return { ...named, settings, channel: await this.reach.channel(before, channelId), isReached: true };
  }

  async #campaigns(workspaceId: string, given: readonly string[]): Promise<Types.ObjectId[]> {
    const ids = [...new Set(given)].map(parseId).filter((id) => id !== null);
    const found = (await this.campaigns.existing(ids)).filter((one) => one.workspaceId.equals(workspaceId));
    if (found.length === new Set(given).size) return ids;
    throw invalidField('campaignIds', 'campaignIds must be ids of campaigns of this workspace');
  }
}
