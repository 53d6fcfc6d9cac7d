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
import { conversationFilter } from './conversation.filter';
import { findConversation } from './conversation-lookup';
import { ConversationThreadRepository } from './conversation-thread.repository';

/** Fields that no list shows. */
const UNLISTED = ['workspaceId', 'threadKey', 'threadIds'];

/** The inbox as its users see it. */
@Injectable()
export class ConversationsService {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    private readonly thread: ConversationThreadRepository,
    private readonly pages: PageService,
    private readonly config: Config,
  ) {}

  /** Newest message first. `search` looks in subject, name and address. */
  async list({ workspaceId }: WorkspaceScope, query: InboxQuery): Promise<Page<ConversationResponse>> {
    const { limit, cursor, ...conditions } = query;
    const filter = { workspaceId, ...conversationFilter(conditions) };
    return this.pages.read(
      this.conversations,
      { scope: workspaceId, filter, by: 'lastMessageAt', without: UNLISTED, page: { limit, cursor } },
      toConversation,
    );
  }

  /**
   * With its messages, the emails of the campaign among them.
   * @throws NOT_FOUND, VALIDATION_ERROR for a `before` that is none of its messages
   */
  async get(
    workspace: WorkspaceScope,
    conversationId: string,
    { before }: ConversationQuery,
  ): Promise<ConversationDetailResponse> {
    const conversation = await findConversation(this.conversations, workspace, conversationId);
    const { messages: kept, emails, earlier } = await this.thread.read(conversation, before);
    const api = this.config.publicUrl.replace(/\/+$/, '');
    const urlOf = (index: number) => `${api}/v1/inbox/${conversation._id.toHexString()}/attachments/${index}`;
    const shown = [...emails.map(toCampaignMessage), ...kept.map((message) => toMessage(message, urlOf))];
    // ISO times compare as texts, and what happened at once stays in its order.
    const messages = shown.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
    return toConversationDetail(conversation, messages, earlier);
  }
}
