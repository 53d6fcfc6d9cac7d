import { type WorkspaceScope } from '@domain/access';
import { IntegrationsService, IntegrationStatusesResponse } from '@domain/integrations';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('integrations')
@ApiTags('Integrations')
export class IntegrationsController {
  constructor(private readonly statuses: IntegrationsService) {}

  @Get()
  @Summary('Reads the status of the chat, the enrichment tool and all CRMs of the workspace.')
  @Access('read')
  @Returns(200, IntegrationStatusesResponse)
  all(@Scope() workspace: WorkspaceScope): Promise<IntegrationStatusesResponse> {
    return this.statuses.all(workspace);
  }
}
