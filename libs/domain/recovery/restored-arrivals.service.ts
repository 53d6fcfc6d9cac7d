import { systemScope } from '@domain/access';
import { PullDoubtsService } from '@domain/crm';
import { ImportDoubtsRepository } from '@domain/leads';
import { Injectable } from '@nestjs/common';

/** What would bring people by itself: after a restore it would bring some as if new who were written to since the backup. */
@Injectable()
export class RestoredArrivalsService {
  constructor(
    private readonly imports: ImportDoubtsRepository,
    private readonly pulls: PullDoubtsService,
  ) {}

  /**
   * Ends it; a person begins it again. Can be repeated.
   * @param until when whatever was lost had stopped at the latest
   * @returns how many imports and pulls
   */
  async setAside(workspaceId: string, until: Date): Promise<number> {
    const ended = await this.imports.setAside(workspaceId, until);
    return ended + (await this.pulls.setAside(systemScope(workspaceId, 'operator'), until));
  }
}
