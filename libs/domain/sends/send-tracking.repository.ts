import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { SendRecord } from './schemas/send.record';

/** What a request for a pixel or a link needs to know of its send. */
export type TrackedSend = Pick<SendRecord, '_id' | 'workspaceId' | 'links' | 'hitsFullAt'>;

/** What is noted of a send once. */
export type SendMark =
  | 'openedAt'
  | 'clickedAt'
  | 'machineOpenedAt'
  | 'machineClickedAt'
  | 'unsubscribedAt'
  | 'hitsFullAt';

/** Sends as those see them who open, click and unsubscribe: strangers, who name a send and know no workspace. */
@Injectable()
export class SendTrackingRepository {
  constructor(@InjectModel(SendRecord.name) private readonly sends: Model<SendRecord>) {}

  /** Those of these sends that there are, by id; one query by primary key for all of them. */
  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, TrackedSend>> {
    const found = await this.sends
      .find({ _id: { $in: ids.map((id) => new Types.ObjectId(id)) } }, { workspaceId: 1, links: 1, hitsFullAt: 1 })
      .setOptions({ allWorkspaces: 'a signed token names the send; its workspace is read from it' })
      .lean<TrackedSend[]>();
    return new Map(found.map((send) => [send._id.toHexString(), send]));
  }

  /** null when there is no such send, or no longer. */
  async find(id: string): Promise<SendRecord | null> {
    return this.sends
      .findOne({ _id: new Types.ObjectId(id) })
      .setOptions({ allWorkspaces: 'a signed token names the send; its workspace is read from it' })
      .lean<SendRecord>();
  }

  /** Notes it, unless that was done before; joins the running transaction. @returns whether it was the first time */
  async mark(
    { _id, workspaceId }: Pick<SendRecord, '_id' | 'workspaceId'>,
    field: SendMark,
    at: Date,
  ): Promise<boolean> {
    const { matchedCount } = await this.sends.updateOne(
      { _id, workspaceId, [field]: null },
      { $set: { [field]: at } },
      { timestamps: false },
    );
    return matchedCount === 1;
  }
}
