import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { SendRecord } from './schemas/send.record';

/** Sends that are looked at: a campaign of which none of so many was accepted has other troubles. */
const MOST_SENDS = 200;

/** How a campaign's sends went lately. */
@Injectable()
export class LatestSendsRepository {
  constructor(@InjectModel(SendRecord.name) private readonly sends: Model<SendRecord>) {}

  /** When a server last accepted an email of the campaign; null when it did so with none of the latest 200. */
  async acceptedAt(workspaceId: Types.ObjectId, campaignId: Types.ObjectId): Promise<Date | null> {
    const latest = await this.sends
      .find({ workspaceId, campaignId }, { state: 1, sentAt: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .limit(MOST_SENDS)
      .lean<Pick<SendRecord, 'state' | 'sentAt'>[]>();
    const times = latest.flatMap(({ state, sentAt }) => (state === 'sent' && sentAt ? [sentAt.getTime()] : []));
    return times.length > 0 ? new Date(Math.max(...times)) : null;
  }
}
