import { type ImportLeads, LeadImportJobService } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Imports leads from an uploaded CSV file. */
@Injectable()
export class LeadImportProcessor extends JobProcessor<ImportLeads> {
  readonly queue = 'lead-import' as const;

  constructor(private readonly imports: LeadImportJobService) {
    super();
  }

  async handle(payload: ImportLeads, signal: AbortSignal): Promise<void> {
    await this.imports.run(payload, signal);
  }
}
