import { type Readable } from 'node:stream';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { type Page } from '@platform/database';
import { type EnrichmentExportQuery, type EnrichmentResultQuery } from '../dto/enrichment-job-requests.dto';
import { type EnrichmentResultResponse } from '../dto/enrichment-result.dto';
import { EnrichmentJobsService } from './enrichment-jobs.service';
import { EnrichmentResultRepository } from './enrichment-result.repository';

/** Results as their users see them. */
@Injectable()
export class EnrichmentResultsService {
  constructor(
    private readonly jobs: EnrichmentJobsService,
    private readonly results: EnrichmentResultRepository,
  ) {}

  /** @throws NOT_FOUND for the job */
  async list(
    workspace: WorkspaceScope,
    jobId: string,
    query: EnrichmentResultQuery,
  ): Promise<Page<EnrichmentResultResponse>> {
    return this.results.page(await this.jobs.find(workspace, jobId), query);
  }

  /** As a file. @throws NOT_FOUND for the job, before anything is written */
  async stream(workspace: WorkspaceScope, jobId: string, query: EnrichmentExportQuery): Promise<Readable> {
    return this.results.csv(await this.jobs.find(workspace, jobId), query);
  }
}
