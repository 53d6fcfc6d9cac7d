import { QUARTER_MS } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { MailboxMessageRecord } from './schemas/mailbox-message.record';

/** A stretch of time; `until` is no part of it. */
interface Span {
  readonly from: Date;
  readonly until: Date;
}

export interface ReceivedCount {
  readonly mailboxId: Types.ObjectId;
  /** Number of the quarter of an hour since 1970. */
  readonly quarter: number;
  readonly count: number;
}

/** How many messages were taken in, by when that was: each is a record for as long as its mailbox is there. */
@Injectable()
export class MailboxReceivedService {
  constructor(@InjectModel(MailboxMessageRecord.name) private readonly messages: Model<MailboxMessageRecord>) {}

  /** By mailbox and quarter of an hour. Joins a running transaction. */
  async receivedByQuarter(workspaceId: string, { from, until }: Span): Promise<ReceivedCount[]> {
    const quarter = { $floor: { $divide: [{ $subtract: ['$createdAt', new Date(0)] }, QUARTER_MS] } };
    const rows = await this.messages.aggregate<{ _id: Omit<ReceivedCount, 'count'>; count: number }>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), createdAt: { $gte: from, $lt: until } } },
      { $group: { _id: { mailboxId: '$mailboxId', quarter }, count: { $sum: 1 } } },
    ]);
    return rows.map(({ _id, count }) => ({ mailboxId: _id.mailboxId, quarter: _id.quarter, count }));
  }

  /** When the first and the last came; without any it is empty. */
  async receivedEdges(workspaceId: string): Promise<Date[]> {
    const edge = (order: 1 | -1) =>
      this.messages
        .findOne({ workspaceId }, { createdAt: 1 })
        .sort({ createdAt: order })
        .lean<Pick<MailboxMessageRecord, 'createdAt'>>();
    return [await edge(1), await edge(-1)].flatMap((found) => found?.createdAt ?? []);
  }
}
