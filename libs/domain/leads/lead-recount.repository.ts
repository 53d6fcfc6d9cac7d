import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { LeadRecord, type LeadStatus } from './schemas/lead.record';

/** Leads of a campaign that have a status in common. */
export interface LeadGroup {
  readonly status: LeadStatus;
  readonly count: number;
}

/** What a recount of figures is made from. It reads every lead of a campaign: for the operator, not for requests. */
@Injectable()
export class LeadRecountRepository {
  constructor(@InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>) {}

  /** Joins a running transaction. */
  async of(workspaceId: string, campaignId: Types.ObjectId): Promise<LeadGroup[]> {
    const rows = await this.leads.aggregate<{ _id: LeadStatus; count: number }>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), campaignId } },
      { $group: { _id: '$status', count: { $sum: 1 } } },
    ]);
    return rows.map(({ _id: status, count }) => ({ status, count }));
  }
}
