import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { SendRecord } from './schemas/send.record';

/** Emails of a mailbox that machines opened, and of which they followed a link. */
export interface MachineCount {
  readonly mailboxId: Types.ObjectId;
  readonly opened: number;
  readonly clicked: number;
}

const MARKS = { opened: 'machineOpenedAt', clicked: 'machineClickedAt' } as const;

/** What machines did to emails, which no event tells of: it is noted with the sends, once for each. */
@Injectable()
export class MachineSightsRepository {
  constructor(@InjectModel(SendRecord.name) private readonly sends: Model<SendRecord>) {}

  /** Of a campaign, by mailbox; joins a running transaction. */
  async ofCampaign(workspaceId: string, campaignId: Types.ObjectId): Promise<MachineCount[]> {
    const of = { workspaceId: new Types.ObjectId(workspaceId), campaignId };
    const counts = new Map<string, { mailboxId: Types.ObjectId; opened: number; clicked: number }>();
    for (const what of ['opened', 'clicked'] as const) {
      const rows = await this.sends.aggregate<{ _id: Types.ObjectId; count: number }>([
        { $match: { ...of, [MARKS[what]]: { $gt: new Date(0) } } },
        { $group: { _id: '$mailboxId', count: { $sum: 1 } } },
      ]);
      for (const { _id, count } of rows) {
        const one = counts.get(_id.toHexString()) ?? { mailboxId: _id, opened: 0, clicked: 0 };
        counts.set(_id.toHexString(), { ...one, [what]: count });
      }
    }
    return [...counts.values()];
  }

  /** When it was, in steps of so many milliseconds since 1970, and for how many emails of a campaign. */
  async byTime(
    workspaceId: string,
    campaignId: Types.ObjectId,
    what: keyof typeof MARKS,
    { from, until, everyMs }: { from: Date; until: Date; everyMs: number },
  ): Promise<{ at: Date; count: number }[]> {
    const mark = MARKS[what];
    const number = { $floor: { $divide: [{ $subtract: [`$${mark}`, new Date(0)] }, everyMs] } };
    const rows = await this.sends.aggregate<{ _id: number; count: number }>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), campaignId, [mark]: { $gte: from, $lt: until } } },
      { $group: { _id: number, count: { $sum: 1 } } },
    ]);
    return rows.map(({ _id, count }) => ({ at: new Date(_id * everyMs), count }));
  }
}
