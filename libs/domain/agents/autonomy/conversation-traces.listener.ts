import { type ConversationRecord, type ConversationWatch, ConversationHookRegistry } from '@domain/inbox';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { AgentReplyRecord } from '../schemas/agent-reply.record';
import { AgentTextRecord } from '../schemas/agent-text.record';

/** What agents wrote in a conversation goes with it. */
@Injectable()
export class ConversationTracesListener implements ConversationWatch, OnModuleInit {
  constructor(
    @InjectModel(AgentTextRecord.name) private readonly texts: Model<AgentTextRecord>,
    @InjectModel(AgentReplyRecord.name) private readonly replies: Model<AgentReplyRecord>,
    private readonly watches: ConversationHookRegistry,
  ) {}

  onModuleInit(): void {
    this.watches.register(this);
  }

  async erased({ _id: conversationId, workspaceId }: Pick<ConversationRecord, '_id' | 'workspaceId'>): Promise<void> {
    // First the replies: a text that is being written for one is recorded only while that is there.
    await this.replies.deleteMany({ workspaceId, conversationId });
    await this.texts.deleteMany({ workspaceId, conversationId });
  }
}
