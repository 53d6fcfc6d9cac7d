import { type WorkspaceScope } from '@domain/access';
import { type AttentionItem, type AttentionSource, AttentionSourceRegistry } from '@domain/reports';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { ChatConnectionRepository } from '@domain/chat';
import { CrmConnectionRecord } from '@domain/crm';
import { getAttention } from './integration-attention';

/** Reports the integrations that need a person's attention. */
@Injectable()
export class IntegrationAttentionListener implements AttentionSource, OnModuleInit {
  constructor(
    @InjectModel(CrmConnectionRecord.name) private readonly connections: Model<CrmConnectionRecord>,
    private readonly chats: ChatConnectionRepository,
    private readonly sources: AttentionSourceRegistry,
  ) {}

  onModuleInit(): void {
    this.sources.register(this);
  }

  async attention({ workspaceId }: Pick<WorkspaceScope, 'workspaceId'>): Promise<AttentionItem[]> {
    const [crms, chat] = await Promise.all([
      this.connections
        .find({ workspaceId }, { type: 1, enabled: 1, status: 1 })
        .sort({ type: 1 })
        .lean<Pick<CrmConnectionRecord, 'type' | 'enabled' | 'status'>[]>(),
      this.chats.find(workspaceId),
    ]);
    const ofChat = chat ? [{ type: 'slack' as const, enabled: chat.enabled, status: chat.status }] : [];
    return getAttention([...ofChat, ...crms]);
  }
}
