import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { EnrichmentItemRecord } from '../../schemas/enrichment-item.record';
import { type CalledItem } from './callback.tokens';

/** The items that tokens name. */
@Injectable()
export class CalledItems {
  constructor(@InjectModel(EnrichmentItemRecord.name) private readonly items: Model<EnrichmentItemRecord>) {}

  /** Null when it is gone, with its job or by itself. Joins a running transaction. */
  async find({ workspaceId, jobId, itemId }: CalledItem): Promise<EnrichmentItemRecord | null> {
    return this.items.findOne({ workspaceId, jobId, _id: itemId }).lean<EnrichmentItemRecord>();
  }
}
