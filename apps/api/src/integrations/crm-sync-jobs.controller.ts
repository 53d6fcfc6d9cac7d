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
  @Summary('Lists CRM sync jobs, newest first.')
  @Access('read')
  @Returns(200, CrmSyncJobResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: CrmSyncJobQuery): Promise<Page<CrmSyncJobResponse>> {
    return this.syncs.list(workspace, query);
  }

  @Get(':jobId')
  @Summary('Returns a CRM sync job with its status and progress.')
  @Access('read')
  @Returns(200, CrmSyncJobResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('jobId') jobId: string): Promise<CrmSyncJobResponse> {
    return this.syncs.get(workspace, jobId);
  }

  @Get(':jobId/details')
  @Summary('Returns the details of a CRM sync job: request, result counts and what it waits for.')
  @Access('read')
  @Returns(200, CrmSyncJobDetailsResponse)
  details(@Scope() workspace: WorkspaceScope, @Param('jobId') jobId: string): Promise<CrmSyncJobDetailsResponse> {
    return this.syncs.details(workspace, jobId);
  }

  @Get(':jobId/records')
  @Summary('Lists the result of each person in a CRM sync job of the last 30 days, with the reason.')
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
  @Summary('Cancels a pending or processing CRM sync job; completed changes stay.')
  @Access('admin')
  @Returns(200, CrmSyncJobResponse)
  cancel(@Scope() workspace: WorkspaceScope, @Param('jobId') jobId: string): Promise<CrmSyncJobResponse> {
    return this.syncs.cancel(workspace, jobId);
  }
}
