import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type EventType } from './event.types';
import { EventRecord } from './schemas/event.record';

/** How often something happened in a campaign, by mailbox and step. */
export interface EventCount {
  readonly campaignId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId | null;
  readonly type: EventType;
  /** `data.stepId` of the events; null for those that have none. */
  readonly stepId: string | null;
  readonly count: number;
}

interface Row {
  readonly _id: Pick<EventCount, 'campaignId' | 'mailboxId' | 'type'> & { readonly stepId?: string };
  readonly count: number;
}

/** What a recount of figures is made from. It reads every event of the workspace: for the operator, not for requests. */
@Injectable()
export class EventCounts {
  constructor(@InjectModel(EventRecord.name) private readonly events: Model<EventRecord>) {}

  /** Events of these types that are about a campaign; with `campaignId` about that one. Joins a running transaction. */
  async ofCampaigns(
    workspaceId: string,
    types: readonly EventType[],
    campaignId?: Types.ObjectId,
  ): Promise<EventCount[]> {
    const about = campaignId ?? { $ne: null };
    const keys = { campaignId: '$campaignId', mailboxId: '$mailboxId', type: '$type', stepId: '$data.stepId' };
    const rows = await this.events.aggregate<Row>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), type: { $in: types }, campaignId: about } },
      { $group: { _id: keys, count: { $sum: 1 } } },
    ]);
    return rows.map(({ _id, count }) => ({ ..._id, stepId: _id.stepId ?? null, count }));
  }
}
