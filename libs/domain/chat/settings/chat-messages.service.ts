import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { type SlackMessageResponse, toSlackMessage } from '../dto/chat-message.dto';
import { type SlackMessagesQuery } from '../dto/chat-requests.dto';
import { ChatMessageRecord } from '../schemas/chat-message.record';
import { ChatConnectionRepository } from './chat-connection.repository';

/** What the channel was told, for 30 days. */
@Injectable()
export class ChatMessagesService {
  constructor(
    @InjectModel(ChatMessageRecord.name) private readonly messages: Model<ChatMessageRecord>,
    private readonly connections: ChatConnectionRepository,
    private readonly pages: PageService,
  ) {}

  /** Newest first. @throws NOT_FOUND when nothing is connected */
  async list(workspace: WorkspaceScope, query: SlackMessagesQuery): Promise<Page<SlackMessageResponse>> {
    const { workspaceId } = workspace;
    const connection = await this.connections.find(workspaceId);
    if (!connection) throw notFound('Integration');
    const { limit, cursor, state } = query;
    const filter = { workspaceId, connectionId: connection._id, ...(state !== undefined && { state }) };
    return this.pages.read(this.messages, { scope: workspaceId, filter, page: { limit, cursor } }, toSlackMessage);
  }
}
