import { type WorkspaceScope } from '@domain/access';
import {
  EnrichmentExportQuery,
  EnrichmentResultQuery,
  EnrichmentResultResponse,
  EnrichmentJobsService,
} from '@domain/enrichment';
import { Controller, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, getFile, Returns, ReturnsFile, Scope, Summary } from '../http';

@Controller('enrichment/jobs/:jobId/results')
@ApiTags('Enrichment')
export class EnrichmentResultsController {
  constructor(private readonly results: EnrichmentJobsService) {}

  @Get()
  @Summary('Lists the results of an enrichment job so far, in the order of its addresses.')
  @Access('read')
  @Returns(200, EnrichmentResultResponse, 'page')
  list(
    @Scope() workspace: WorkspaceScope,
    @Param('jobId') jobId: string,
    @Query() query: EnrichmentResultQuery,
  ): Promise<Page<EnrichmentResultResponse>> {
    return this.results.listResults(workspace, jobId, query);
  }

  @Get('export')
  @Summary('Downloads the results of an enrichment job so far as CSV, with the filter of the list.')
  @Access('read')
  @ReturnsFile(['text/csv'], 'CSV in UTF-8 with a header; cells that look like formulas begin with an apostrophe.')
  async export(
    @Scope() workspace: WorkspaceScope,
    @Param('jobId') jobId: string,
    @Query() query: EnrichmentExportQuery,
  ): Promise<StreamableFile> {
    return getFile(await this.results.streamResults(workspace, jobId, query), 'text/csv; charset=utf-8', 'results.csv');
  }
}
