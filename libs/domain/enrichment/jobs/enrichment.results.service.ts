import { type Readable } from 'node:stream';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { type Page } from '@platform/database';
import { type EnrichmentExportQuery, type EnrichmentResultQuery } from '../dto/enrichment-job.requests';
import { type EnrichmentResultResponse } from '../dto/enrichment-result.dto';
import { EnrichmentJobs } from './enrichment.jobs.service';
import { JobResults } from './job.results.service';

/** Results as their users see them. */
@Injectable()
export class EnrichmentResults {
  constructor(
    private readonly jobs: EnrichmentJobs,
    private readonly results: JobResults,
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
