import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { rerunOnLostRace, Transactions } from '@platform/database';
import { type Model } from 'mongoose';
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
    const fields = { type, at: at ?? this.clock.now(), data, ...about };
    return this.transactions.run(async () => {
      const { upsertedCount } = await rerunOnLostRace(() =>
        this.events.updateOne({ workspaceId, dedupeKey }, { $setOnInsert: fields }, { upsert: true }),
      );
      return upsertedCount === 1;
    });
  }
}
