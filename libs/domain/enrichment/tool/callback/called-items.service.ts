import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { EnrichmentItemRecord } from '../../schemas/enrichment-item.record';
import { type CalledItem } from './callback-token.service';

/** The items that tokens name. */
@Injectable()
export class CalledItemsService {
  constructor(
    @InjectModel(EnrichmentItemRecord.name) private readonly items: Model<EnrichmentItemRecord>,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  /** Null when it is gone: by itself, with its job, or because its workspace was deleted. */
  async find(named: CalledItem): Promise<EnrichmentItemRecord | null> {
    const [item, alive] = await Promise.all([this.peek(named), this.workspaces.filterAlive([named.workspaceId])]);
    return alive.has(named.workspaceId) ? item : null;
  }

  /** As it is now, in the running transaction. */
  async peek({ workspaceId, jobId, itemId }: CalledItem): Promise<EnrichmentItemRecord | null> {
    return this.items.findOne({ workspaceId, jobId, _id: itemId }).lean<EnrichmentItemRecord>();
  }
}
