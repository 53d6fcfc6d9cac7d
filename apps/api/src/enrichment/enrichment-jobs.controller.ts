import { type WorkspaceScope } from '@domain/access';
import {
  CreatedEnrichmentJobResponse,
  CreateEnrichmentJobRequest,
  ENRICHMENT_EXAMPLES,
  EnrichmentJobCreationService,
  EnrichmentJobDetailsResponse,
  EnrichmentJobQuery,
  EnrichmentJobResponse,
  EnrichmentJobsService,
  ListedEnrichmentJobResponse,
} from '@domain/enrichment';
import { MessageResponse } from '@domain/identity';
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, BodyLimit, Example, Returns, Scope, Summary } from '../http';

@Controller('enrichment/jobs')
@ApiTags('Enrichment')
export class EnrichmentJobsController {
  constructor(
    private readonly jobs: EnrichmentJobsService,
    private readonly creation: EnrichmentJobCreationService,
  ) {}

  // 50 000 addresses of up to 40 characters.
  @Post()
  @Summary('Starts an enrichment job for a list of addresses, or for the leads of a campaign.')
  @Example(CreateEnrichmentJobRequest, ENRICHMENT_EXAMPLES.create)
  @Access('write')
  @BodyLimit(2)
  @Returns(201, CreatedEnrichmentJobResponse)
  create(
    @Scope() workspace: WorkspaceScope,
    @Body() body: CreateEnrichmentJobRequest,
  ): Promise<CreatedEnrichmentJobResponse> {
    return this.creation.create(workspace, body);
  }

  @Get()
  @Summary('Lists enrichment jobs of the last seven days, newest first.')
  @Access('read')
  @Returns(200, ListedEnrichmentJobResponse, 'numbered page')
  list(
    @Scope() workspace: WorkspaceScope,
    @Query() query: EnrichmentJobQuery,
  ): ReturnType<EnrichmentJobsService['list']> {
    return this.jobs.list(workspace, query);
  }

  @Get(':jobId')
  @Summary('Reads an enrichment job: its status and progress.')
  @Access('read')
  @Returns(200, EnrichmentJobResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('jobId') jobId: string): Promise<EnrichmentJobResponse> {
    return this.jobs.get(workspace, jobId);
  }

  @Get(':jobId/details')
  @Summary('Reads details of an enrichment job: its error, and the number of results of each kind.')
  @Access('read')
  @Returns(200, EnrichmentJobDetailsResponse)
  details(@Scope() workspace: WorkspaceScope, @Param('jobId') jobId: string): Promise<EnrichmentJobDetailsResponse> {
    return this.jobs.details(workspace, jobId);
  }

  @Post(':jobId/cancel')
  @Summary('Cancels a pending or processing enrichment job; its results remain and are charged.')
  @Access('write')
  @Returns(200, EnrichmentJobResponse)
  cancel(@Scope() workspace: WorkspaceScope, @Param('jobId') jobId: string): Promise<EnrichmentJobResponse> {
    return this.jobs.cancel(workspace, jobId);
  }

  @Delete(':jobId')
  @Summary('Permanently deletes an enrichment job with its results, in any status.')
  @Access('write')
  @Returns(200, MessageResponse)
  delete(@Scope() workspace: WorkspaceScope, @Param('jobId') jobId: string): Promise<MessageResponse> {
    return this.jobs.delete(workspace, jobId);
  }
}
