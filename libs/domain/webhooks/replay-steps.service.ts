import { type EventRecord, EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { WebhookWorkPartitionService } from './work-partitions/webhook-work-partition.service';
import { WebhookReplayRecord } from './schemas/webhook-replay.record';
import { WebhookRecord } from './schemas/webhook.record';
import { ReplayDeliveriesRepository } from './delivery/replay-deliveries.repository';

/** Events that are looked at in one step. */
const STEP = 500;

/** Somebody else did the step, or the replay is over. */
class ReplayMoved extends Error {}

interface Step {
  /** Those of its events that the webhook wants. */
  readonly events: readonly EventRecord[];
  readonly position: WebhookReplayRecord['position'];
  /** Whether nothing comes after it. */
  readonly isLast: boolean;
}

/**
 * Steps of replays: the deliveries of a batch of events, how many they are, and the position behind them come to be in one
 * transaction. So a replay that stops anywhere goes on right there, and counts nothing twice, by however many workers.
 */
@Injectable()
export class ReplayStepsService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    @InjectModel(WebhookReplayRecord.name) private readonly replays: Model<WebhookReplayRecord>,
    private readonly history: EventsService,
    private readonly deliveries: ReplayDeliveriesRepository,
    private readonly lanes: WebhookWorkPartitionService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** @returns the replay as it is after the step; null when somebody else goes on with it, or its webhook is gone */
  async next(replay: WebhookReplayRecord): Promise<WebhookReplayRecord | null> {
    const step = await this.#read(replay);
    if (!step) return null;
    try {
      const after = await this.transactions.run(() => this.#write(replay, step));
      if (after.scheduled > replay.scheduled) {
        await this.lanes.enqueue(replay.workspaceId.toHexString(), [replay._id.toHexString()]);
      }
      return after;
    } catch (error) {
      if (error instanceof ReplayMoved) return null;
      throw error;
    }
  }

  async #read({ _id, workspaceId, from, to, position }: WebhookReplayRecord): Promise<Step | null> {
    const webhook = await this.webhooks.findOne({ _id, workspaceId }, { events: 1 }).lean<WebhookRecord>();
    if (!webhook) return null;
    const workspace = { workspaceId: workspaceId.toHexString() };
    const page = await this.history.page(workspace, { from, to, after: position }, STEP);
    const wanted = page.filter(({ type }) => webhook.events.includes(type));
    const events = await this.history.read(
      workspace,
      wanted.map((event) => event._id),
    );
    const last = page.at(-1);
    return { events, position: last ? { at: last.at, id: last._id } : position, isLast: page.length < STEP };
  }

  async #write(replay: WebhookReplayRecord, { events, position, isLast }: Step): Promise<WebhookReplayRecord> {
    const { _id, workspaceId, replayId, openSince, scope } = replay;
    const scheduled = await this.deliveries.begin(replay, events, scope);
    const there = replay.position ? { 'position.id': replay.position.id } : { position: null };
    const ended = isLast ? { completedAt: this.clock.now() } : {};
    const after = await this.replays
      .findOneAndUpdate(
        { _id, workspaceId, replayId, openSince, ...there } as never,
        { $set: { position, ...ended }, $inc: { scheduled }, ...(isLast && { $unset: { openSince: 1 } }) },
        { returnDocument: 'after' },
      )
      .lean<WebhookReplayRecord>();
    if (!after) throw new ReplayMoved('Somebody else did this step of the replay, or it is over');
    return after;
  }
}
