import { type WorkspaceScope } from '@domain/access';
import { ChatConnectionRepository } from '@domain/chat';
import { CrmConnectionRecord } from '@domain/crm';
import { EnrichmentToolsService } from '@domain/enrichment';
import { type AttentionItem, type AttentionSource, ATTENTION_SOURCES } from '@domain/reports';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Listens } from '@platform/hooks';
import { type Model } from 'mongoose';
import { getAttention } from './integration-attention';
import { type IntegrationStatusesResponse, type ConnectionSummary, toCrmStatuses } from './integration-status.dto';

const SUMMARY_FIELDS = { type: 1, enabled: 1, status: 1, lastSyncAt: 1, totalPulled: 1, totalPushed: 1 } as const;

/** The observed status of all integrations of a workspace, and which of them need a person's attention. */
@Injectable()
@Listens(ATTENTION_SOURCES)
export class IntegrationsService implements AttentionSource {
  constructor(
    @InjectModel(CrmConnectionRecord.name) private readonly connections: Model<CrmConnectionRecord>,
    private readonly chats: ChatConnectionRepository,
    private readonly tools: EnrichmentToolsService,
  ) {}

  async listAll(workspace: WorkspaceScope): Promise<IntegrationStatusesResponse> {
    const { workspaceId } = workspace;
    const [connections, { connected, teamName }, enabled] = await Promise.all([
      this.connections.find({ workspaceId }, SUMMARY_FIELDS).lean<ConnectionSummary[]>(),
      this.chats.status(workspaceId),
      this.tools.isInUse(workspace),
    ]);
    return { slack: { connected, teamName }, clay: { enabled }, crm: toCrmStatuses(connections) };
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
