import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { type EventData } from './payloads/event-data';
import { type EventSubject, type EventType } from './event-types';
import { EventRecord } from './schemas/event.record';

interface EventOf<T extends EventType> {
  type: T;
  /** Names this happening within the workspace: recording it again is without effect. */
  dedupeKey: string;
  about: EventSubject;
  /** What webhooks will show: never a secret. */
  data: EventData<T>;
  /** Default: now. */
  at?: Date;
}

/** Something that happened, with what there is to say of it by its type. */
export type NewEvent = { [T in EventType]: EventOf<T> }[EventType];

/** What happened, once each. Ids are made here and not by the database: those of one process are in the order of recording. */
@Injectable()
export class EventsService {
  constructor(
    @InjectModel(EventRecord.name) private readonly events: Model<EventRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Records an event. Call it in the transaction of the change that it tells of: then neither exists without the other.
   * @returns false when it had been recorded before
   */
  async record(workspace: WorkspaceScope, { type, dedupeKey, about, data, at }: NewEvent): Promise<boolean> {
    const { workspaceId } = workspace;
    const now = this.clock.now();
    const fields = { _id: new Types.ObjectId(), type, at: at ?? now, data, ...about, relayAt: now };
    return this.transactions.run(async () => {
      const { upsertedCount } = await rerunOnWriteConflict(() =>
        this.events.updateOne({ workspaceId, dedupeKey }, { $setOnInsert: fields }, { upsert: true }),
      );
      return upsertedCount === 1;
    });
  }

  /**
   * Records many events in one write, each as `record` does.
   * @returns how many had not been recorded before
   */
  async recordAll(workspace: Pick<WorkspaceScope, 'workspaceId'>, events: readonly NewEvent[]): Promise<number> {
    return (await this.recordEach(workspace, events)).filter(Boolean).length;
  }

  /** As `recordAll`. @returns for each event, in their order, whether it had not been recorded before */
  async recordEach(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    events: readonly NewEvent[],
  ): Promise<boolean[]> {
    if (events.length === 0) return [];
    const now = this.clock.now();
    const operations = events.map(({ type, dedupeKey, about, data, at }) => ({
      updateOne: {
        filter: { workspaceId: new Types.ObjectId(workspaceId), dedupeKey },
        update: { $setOnInsert: { _id: new Types.ObjectId(), type, at: at ?? now, data, ...about, relayAt: now } },
        upsert: true,
      },
    }));
    return this.transactions.run(async () => {
      const { upsertedIds } = await rerunOnWriteConflict(() =>
        this.events.bulkWrite(operations as never, { ordered: false }),
      );
      return events.map((_event, at) => at in upsertedIds);
    });
  }
}
