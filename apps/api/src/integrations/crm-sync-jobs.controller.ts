import { type WorkspaceScope } from '@domain/access';
import {
  CrmSyncJobDetailsResponse,
  CrmSyncJobQuery,
  CrmSyncJobResponse,
  CrmSyncJobsService,
  CrmSyncResultQuery,
  CrmSyncResultResponse,
} from '@domain/crm';
import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('integrations/crm/jobs')
@ApiTags('Integrations')
export class CrmSyncJobsController {
  constructor(private readonly syncs: CrmSyncJobsService) {}

  @Get()
  @Summary('Lists syncs with CRMs, newest first.')
  @Access('read')
  @Returns(200, CrmSyncJobResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: CrmSyncJobQuery): Promise<Page<CrmSyncJobResponse>> {
    return this.syncs.list(workspace, query);
  }

  @Get(':jobId')
  @Summary('Reads a sync with a CRM: its status and how far it is.')
  @Access('read')
  @Returns(200, CrmSyncJobResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('jobId') jobId: string): Promise<CrmSyncJobResponse> {
    return this.syncs.get(workspace, jobId);
  }

  @Get(':jobId/details')
  @Summary('Reads what else is known of a sync: what was asked for, how many results of each kind, what it waits for.')
  @Access('read')
  @Returns(200, CrmSyncJobDetailsResponse)
  details(@Scope() workspace: WorkspaceScope, @Param('jobId') jobId: string): Promise<CrmSyncJobDetailsResponse> {
    return this.syncs.details(workspace, jobId);
  }

  @Get(':jobId/records')
  @Summary('Lists what became of each person in a sync of the last 30 days, and why.')
  @Access('read')
  @Returns(200, CrmSyncResultResponse, 'page')
  records(
    @Scope() workspace: WorkspaceScope,
    @Param('jobId') jobId: string,
    @Query() query: CrmSyncResultQuery,
  ): Promise<Page<CrmSyncResultResponse>> {
    return this.syncs.records(workspace, jobId, query);
  }

  @Post(':jobId/cancel')
  @Summary('Ends a sync that is pending or processing; who was synced stays so.')
  @Access('admin')
  @Returns(200, CrmSyncJobResponse)
  cancel(@Scope() workspace: WorkspaceScope, @Param('jobId') jobId: string): Promise<CrmSyncJobResponse> {
    return this.syncs.cancel(workspace, jobId);
  }
}
