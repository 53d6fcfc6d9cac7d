import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { rerunOnLostRace, Transactions } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { type EventSubject, type EventType } from './event.types';
import { EventRecord } from './schemas/event.record';

export interface NewEvent {
  type: EventType;
  /** Names this happening within the workspace: recording it again is without effect. */
  dedupeKey: string;
  about: EventSubject;
  /** Plain values that webhooks will show; never a secret. */
  data?: Record<string, unknown>;
  /** Default: now. */
  at?: Date;
}

/** What happened, once each. */
@Injectable()
export class EventsService {
  constructor(
    @InjectModel(EventRecord.name) private readonly events: Model<EventRecord>,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Records an event. Call it in the transaction of the change that it tells of: then neither exists without the other.
   * @returns false when it had been recorded before
   */
  async record(workspace: WorkspaceScope, { type, dedupeKey, about, data = {}, at }: NewEvent): Promise<boolean> {
    const { workspaceId } = workspace;
    const now = this.clock.now();
    const fields = { type, at: at ?? now, data, ...about, relayAt: now };
    return this.transactions.run(async () => {
      const { upsertedCount } = await rerunOnLostRace(() =>
        this.events.updateOne({ workspaceId, dedupeKey }, { $setOnInsert: fields }, { upsert: true }),
      );
      return upsertedCount === 1;
    });
  }

  /**
   * Records many events in one write, each as `record` does.
   * @returns how many had not been recorded before
   */
  async recordAll({ workspaceId }: Pick<WorkspaceScope, 'workspaceId'>, events: readonly NewEvent[]): Promise<number> {
    if (events.length === 0) return 0;
    const now = this.clock.now();
    const operations = events.map(({ type, dedupeKey, about, data = {}, at }) => ({
      updateOne: {
        filter: { workspaceId: new Types.ObjectId(workspaceId), dedupeKey },
        update: { $setOnInsert: { type, at: at ?? now, data, ...about, relayAt: now } },
        upsert: true,
      },
    }));
    return this.transactions.run(async () => {
      const { upsertedCount } = await rerunOnLostRace(() =>
        this.events.bulkWrite(operations as never, { ordered: false }),
      );
      return upsertedCount;
    });
  }
}
