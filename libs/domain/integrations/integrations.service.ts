import { type WorkspaceScope } from '@domain/access';
import { EnrichmentToolsService } from '@domain/enrichment';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { ChatConnectionRepository } from '@domain/chat';
import { CrmConnectionRecord } from '@domain/crm';
import { type IntegrationStatusesResponse, type SeenConnection, toCrmStatuses } from './integration-status.dto';

const SEEN = { type: 1, enabled: 1, status: 1, lastSyncAt: 1, totalPulled: 1, totalPushed: 1 } as const;

/** How all that a workspace is connected with stands: what was seen, and not only what was set. */
@Injectable()
export class IntegrationsService {
  constructor(
    @InjectModel(CrmConnectionRecord.name) private readonly connections: Model<CrmConnectionRecord>,
    private readonly chats: ChatConnectionRepository,
    private readonly tools: EnrichmentToolsService,
  ) {}

  async all(workspace: WorkspaceScope): Promise<IntegrationStatusesResponse> {
    const { workspaceId } = workspace;
    const [connections, { connected, teamName }, enabled] = await Promise.all([
      this.connections.find({ workspaceId }, SEEN).lean<SeenConnection[]>(),
      this.chats.status(workspaceId),
      this.tools.isInUse(workspace),
    ]);
    return { slack: { connected, teamName }, clay: { enabled }, crm: toCrmStatuses(connections) };
  }
}
