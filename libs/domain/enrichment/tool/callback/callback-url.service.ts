import { Injectable } from '@nestjs/common';
import { Config } from '@platform/config';
import { type WorkItem } from '../../item-handlers/item-handler';
import { CallbackTokenService } from './callback-token.service';

/** Where a tool tells what it has found for an item. */
@Injectable()
export class CallbackUrlService {
  constructor(
    private readonly config: Config,
    private readonly tokens: CallbackTokenService,
  ) {}

  /** @param until the first moment at which nothing is taken there any more */
  of({ workspaceId, jobId, _id }: Pick<WorkItem, '_id' | 'workspaceId' | 'jobId'>, until: Date): string {
    const item = { workspaceId: workspaceId.toHexString(), jobId: jobId.toHexString(), itemId: _id.toHexString() };
    return `${this.config.publicUrl.replace(/\/+$/, '')}/enrichment/callback/${this.tokens.issue(item, until)}`;
  }
}
