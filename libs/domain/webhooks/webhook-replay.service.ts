import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { EventsService, type EventRecord } from '@domain/events';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict, TransactionService, parseId } from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Model, Types } from 'mongoose';
import { type ReplayResponse, toReplay } from './dto/webhook-health.dto';
import { type ReplayWebhookRequest } from './dto/webhook-requests.dto';
import { WebhookReplayRecord } from './schemas/webhook-replay.record';
import { WebhookRecord } from './schemas/webhook.record';
import { inactiveWebhook, replayRuns } from './webhook.errors';
import { requireReplayWindow } from './replay-window';
import { toWebhookTarget } from './webhook-audit';
import { findWebhook } from './webhook-lookup';
import { WebhookReplayQueue, type ReplayWebhook } from './webhook-replay.queue';
import { WebhookWorkPartitionService } from './work-partitions/webhook-work-partition.service';
import { WebhookDeliveryRepository } from './delivery/webhook-delivery.repository';

type NewReplay = Omit<WebhookReplayRecord, '_id' | 'workspaceId'>;

/** Events per step. */
const EVENTS_PER_STEP = 500;

/** Another worker did the step, or the replay is over. */
class ReplaySupersededError extends Error {}

interface Step {
  /** The events to which the webhook is subscribed. */
  readonly events: readonly EventRecord[];
  readonly position: WebhookReplayRecord['position'];
  /** Whether this is the last step. */
  readonly isLast: boolean;
}

/**
 * Replays: events of a past period are delivered again, or for the first time. Deliveries, count and position of a
 * batch are written in one transaction, so that an interrupted replay counts nothing twice.
 */
@Injectable()
export class WebhookReplayService implements Sweep {
  readonly name = 'webhook-replay';

  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    @InjectModel(WebhookReplayRecord.name) private readonly replays: Model<WebhookReplayRecord>,
    private readonly queue: WebhookReplayQueue,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly workspaces: WorkspaceRepository,
    private readonly history: EventsService,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly partitions: WebhookWorkPartitionService,
  ) {}

  /**
   * Starts a replay, which the worker runs.
   * @throws NOT_FOUND, VALIDATION_ERROR naming `from` or `to`, CONFLICT for an inactive webhook and while another replay runs
   */
  async start(workspace: WorkspaceScope, webhookId: string, input: ReplayWebhookRequest): Promise<ReplayResponse> {
    const record = await this.transactions.run(async () => {
      const webhook = await findWebhook(this.webhooks, workspace, webhookId);
      const now = this.clock.now();
      const { from, to } = requireReplayWindow(input, now);
      if (webhook.status !== 'active') throw inactiveWebhook();
      const { scope = 'failed' } = input;
      const begun = { replayId: new Types.ObjectId(), from, to, scope, startedAt: now, openSince: now };
      const replay = await this.#replacePrevious(webhook, {
        ...begun,
        completedAt: null,
        position: null,
        scheduled: 0,
      });
      const changes = { replay: { from: null, to: { from, to, scope } } };
      await this.audit.record(workspace, { action: 'webhook.replayed', target: toWebhookTarget(webhook._id), changes });
      return replay;
    });
    await this.queue.plan(record);
    return toReplay(record);
  }

  /**
   * Continues a replay to its end. No effect when it is over or its webhook is deleted.
   * @param signal stops it between two steps
   */
  async run({ workspaceId, webhookId, replayId }: ReplayWebhook, signal: AbortSignal): Promise<void> {
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return;
    const where = { _id: parseId(webhookId), workspaceId, replayId: parseId(replayId) };
    let replay = await this.replays.findOne(where as never).lean<WebhookReplayRecord>();
    while (replay?.openSince) {
      signal.throwIfAborted();
      replay = await this.#step(replay);
    }
  }

  /** Enqueues each open replay without a job: Redis may have been emptied. */
  async sweep(): Promise<number> {
    const open = await this.replays
      .find({ openSince: { $gt: new Date(0) } })
      .setOptions({ allWorkspaces: 'the worker runs the replays of all workspaces' })
      .lean<WebhookReplayRecord[]>();
    const alive = await this.workspaces.filterAlive(open.map(({ workspaceId }) => workspaceId.toHexString()));
    return this.queue.planMissing(open.filter(({ workspaceId }) => alive.has(workspaceId.toHexString())));
  }

  /** Replaces the previous replay, which must be over. */
  async #replacePrevious({ _id, workspaceId }: WebhookRecord, replay: NewReplay): Promise<WebhookReplayRecord> {
    const last = await this.replays.findOne({ _id, workspaceId }, { openSince: 1 }).lean<WebhookReplayRecord>();
    if (last?.openSince) throw replayRuns();
    return rerunOnWriteConflict(() =>
      this.replays
        .findOneAndUpdate(
          { _id, workspaceId },
          { $set: replay },
          { upsert: true, returnDocument: 'after', setDefaultsOnInsert: false },
        )
        .lean<WebhookReplayRecord>()
        .orFail(),
    );
  }

  /** @returns the replay after the step; null when another worker continues it or the webhook is deleted */
  async #step(replay: WebhookReplayRecord): Promise<WebhookReplayRecord | null> {
    const step = await this.#readStep(replay);
    if (!step) return null;
    try {
      const after = await this.transactions.run(() => this.#writeStep(replay, step));
      if (after.scheduled > replay.scheduled) {
        await this.partitions.enqueue(replay.workspaceId.toHexString(), [replay._id.toHexString()]);
      }
      return after;
    } catch (error) {
      if (error instanceof ReplaySupersededError) return null;
      throw error;
    }
  }

  async #readStep({ _id, workspaceId, from, to, position }: WebhookReplayRecord): Promise<Step | null> {
    const webhook = await this.webhooks.findOne({ _id, workspaceId }, { events: 1 }).lean<WebhookRecord>();
    if (!webhook) return null;
    const workspace = { workspaceId: workspaceId.toHexString() };
    const page = await this.history.page(workspace, { from, to, after: position }, EVENTS_PER_STEP);
    const selected = page.filter(({ type }) => webhook.events.includes(type));
    const events = await this.history.read(
      workspace,
      selected.map((event) => event._id),
    );
    const last = page.at(-1);
    return { events, position: last ? { at: last.at, id: last._id } : position, isLast: page.length < EVENTS_PER_STEP };
  }

  async #writeStep(replay: WebhookReplayRecord, { events, position, isLast }: Step): Promise<WebhookReplayRecord> {
    const { _id, workspaceId, replayId, openSince, scope } = replay;
    const scheduled = await this.deliveries.createForReplay(replay, events, scope);
    const there = replay.position ? { 'position.id': replay.position.id } : { position: null };
    const ended = isLast ? { completedAt: this.clock.now() } : {};
    const after = await this.replays
      .findOneAndUpdate(
        { _id, workspaceId, replayId, openSince, ...there } as never,
        { $set: { position, ...ended }, $inc: { scheduled }, ...(isLast && { $unset: { openSince: 1 } }) },
        { returnDocument: 'after' },
      )
      .lean<WebhookReplayRecord>();
    if (!after) throw new ReplaySupersededError('Another worker completed this step, or the replay is over');
    return after;
  }
}
