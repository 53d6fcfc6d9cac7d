import { type WorkspaceScope } from '@domain/access';
import { CreateCrmSyncRequest, CRM_SYNC_EXAMPLES, CrmSyncJobResponse, CrmSyncJobsService } from '@domain/crm';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('integrations/crm/:type/sync')
@ApiTags('Integrations')
export class CrmSyncsController {
  constructor(private readonly syncs: CrmSyncJobsService) {}

  @Post()
  @Summary('Starts a pull from or a push to a CRM.')
  @Example(CreateCrmSyncRequest, CRM_SYNC_EXAMPLES.create)
  @Access('admin')
  @Returns(202, CrmSyncJobResponse)
  create(
    @Scope() workspace: WorkspaceScope,
    @Param('type') type: string,
    @Body() body: CreateCrmSyncRequest,
  ): Promise<CrmSyncJobResponse> {
    return this.syncs.request(workspace, type, body);
  }
}
