import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { EventRecord } from './schemas/event.record';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** An event without what it tells. */
export type NamedEvent = Pick<EventRecord, '_id' | 'type' | 'at'>;

/** A window of time, and the event in it after which to go on; null: at the beginning. */
export interface Stretch {
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
  readonly after: { readonly at: Date; readonly id: Types.ObjectId } | null;
}

/** What happened, for whoever goes through all of it: however much that is, a page at a time. */
@Injectable()
export class EventHistoryService {
  constructor(@InjectModel(EventRecord.name) private readonly events: Model<EventRecord>) {}

  /** A page of the events that happened in a stretch of time, oldest first. */
  async page({ workspaceId }: Workspace, { from, to, after }: Stretch, limit: number): Promise<NamedEvent[]> {
    // A range plus a tie-break: written as a bare `$or` it would not use the index order.
    const beyond = after ? { $or: [{ at: { $gt: after.at } }, { _id: { $gt: after.id } }] } : {};
    return this.events
      .find({ workspaceId, at: { $gte: after?.at ?? from, $lt: to }, ...beyond }, { type: 1, at: 1 })
      .sort({ at: 1, _id: 1 })
      .limit(limit)
      .lean<NamedEvent[]>();
  }

  /** Those of the events that there are, in any order. */
  async read({ workspaceId }: Workspace, ids: readonly Types.ObjectId[]): Promise<EventRecord[]> {
    if (ids.length === 0) return [];
    return this.events.find({ workspaceId, _id: { $in: [...ids] } }).lean<EventRecord[]>();
  }

  /** Those of these keys (`NewEvent.dedupeKey`) under which something was recorded. */
  async recorded({ workspaceId }: Workspace, dedupeKeys: readonly string[]): Promise<Set<string>> {
    if (dedupeKeys.length === 0) return new Set();
    const found = await this.events
      .find({ workspaceId, dedupeKey: { $in: [...dedupeKeys] } }, { _id: 0, dedupeKey: 1 })
      .lean<Pick<EventRecord, 'dedupeKey'>[]>();
    return new Set(found.map(({ dedupeKey }) => dedupeKey));
  }
}
