import { systemScope } from '@domain/access';
import { PullDoubtsService } from '@domain/crm';
import { LeadImportRepository } from '@domain/leads';
import { Injectable } from '@nestjs/common';

/** What would bring people by itself: after a restore it would bring some as if new who were written to since the backup. */
@Injectable()
export class RestoredArrivalsService {
  constructor(
    private readonly imports: LeadImportRepository,
    private readonly pulls: PullDoubtsService,
  ) {}

  /**
   * Ends it; a person begins it again. Can be repeated.
   * @param until when whatever was lost had stopped at the latest
   * @returns how many imports and pulls
   */
  async setAside(workspaceId: string, until: Date): Promise<number> {
    const ended = await this.imports.reconcile(workspaceId, until);
    return ended + (await this.pulls.setAside(systemScope(workspaceId, 'operator'), until));
  }
}
