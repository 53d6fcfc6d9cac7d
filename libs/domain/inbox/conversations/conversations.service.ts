import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Config } from '@platform/config';
import { type Page, PageService } from '@platform/database';
import { type Model } from 'mongoose';
import {
  type ConversationDetailResponse,
  type ConversationResponse,
  toConversation,
  toConversationDetail,
} from '../dto/conversation.dto';
import { toCampaignMessage, toMessage } from '../dto/conversation-message.dto';
import { type ConversationQuery, type InboxQuery } from '../dto/conversation-requests.dto';
import { ConversationRecord } from '../schemas/conversation.record';
import { requireConversation } from './conversation-lookup';
import { toConversationFilter } from './conversation-query';
import { ConversationRepository } from './conversation.repository';

/** Fields that no list shows. */
const UNLISTED = ['workspaceId', 'threadKey', 'threadIds'];

/** The inbox as its users see it. */
@Injectable()
export class ConversationsService {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    private readonly repository: ConversationRepository,
    private readonly pages: PageService,
    private readonly config: Config,
  ) {}

  /** Newest message first; `search` matches subject, name and address. */
  async list({ workspaceId }: WorkspaceScope, query: InboxQuery): Promise<Page<ConversationResponse>> {
    const { limit, cursor, ...conditions } = query;
    const filter = { workspaceId, ...toConversationFilter(conditions) };
    return this.pages.read(
      this.conversations,
      { scope: workspaceId, filter, by: 'lastMessageAt', without: UNLISTED, page: { limit, cursor } },
      toConversation,
    );
  }

  /**
   * Returns a conversation with its messages and the emails of its campaign.
   * @throws NOT_FOUND; VALIDATION_ERROR when `before` is no message of the conversation
   */
  async get(
    workspace: WorkspaceScope,
    conversationId: string,
    { before }: ConversationQuery,
  ): Promise<ConversationDetailResponse> {
    const conversation = await requireConversation(this.conversations, workspace, conversationId);
    const { messages, emails, earlier } = await this.repository.readThread(conversation, before);
    const api = this.config.publicUrl.replace(/\/+$/, '');
    const getUrl = (index: number) => `${api}/v1/inbox/${conversation._id.toHexString()}/attachments/${index}`;
    const shown = [...emails.map(toCampaignMessage), ...messages.map((message) => toMessage(message, getUrl))];
    // ISO times compare as strings; the stable sort keeps the order of simultaneous messages.
    const sorted = shown.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
    return toConversationDetail(conversation, sorted, earlier);
  }
}
