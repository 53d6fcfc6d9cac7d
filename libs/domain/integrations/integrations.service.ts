import { type WorkspaceScope } from '@domain/access';
import { ChatConnectionRepository } from '@domain/chat';
import { CrmConnectionRecord } from '@domain/crm';
import { EnrichmentToolsService } from '@domain/enrichment';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type IntegrationStatusesResponse, type ConnectionSummary, toCrmStatuses } from './integration-status.dto';

const SUMMARY_FIELDS = { type: 1, enabled: 1, status: 1, lastSyncAt: 1, totalPulled: 1, totalPushed: 1 } as const;

/** The observed status of all integrations of a workspace. */
@Injectable()
export class IntegrationsService {
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
}
