import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import {
  dueRecords,
  releaseRecordLease,
  NO_LEASE,
  SCHEDULED_RUN_FIELDS,
  type ScheduledRun,
  renewRecordLease,
  rerunOnWriteConflict,
  acquireRecordLease,
  TransactionService,
} from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Model, Types } from 'mongoose';
import { WebhookWorkPartitionRecord } from '../schemas/webhook-work-partition.record';
import { type WorkPartitionLease } from './webhook-partition-lease';
import { WebhookWorkQueue, type ScheduledPartition } from './webhook-work.queue';

/** How late a lane may be before the sweep asks for its job. */
const SWEEP_AFTER_MS = 3_000;

const WORKER = 'the worker delivers to the webhooks of all workspaces';

/** Which worker delivers to which webhook, and when there is something to deliver. */
@Injectable()
export class WebhookWorkPartitionService implements Sweep {
  readonly name = 'webhook-lane';

  constructor(
    @InjectModel(WebhookWorkPartitionRecord.name) private readonly lanes: Model<WebhookWorkPartitionRecord>,
    private readonly queue: WebhookWorkQueue,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** There is something to deliver now: `plant` and `announce`; not inside a transaction. */
  async scheduleNow(workspaceId: string, webhookIds: readonly string[]): Promise<void> {
    await this.transactions.run(() => this.schedule(workspaceId, webhookIds, this.clock.now()));
    await this.enqueue(workspaceId, webhookIds);
  }

  /** There is something to deliver at `at`, or earlier if that was planned: belongs into the transaction of its cause. */
  async schedule(workspaceId: string, webhookIds: readonly string[], at: Date): Promise<void> {
    if (webhookIds.length === 0) return;
    const unheld = { holder: '', fence: 0, leaseUntil: NO_LEASE };
    await rerunOnWriteConflict(() =>
      this.lanes.bulkWrite(
        objectIds(webhookIds).map((_id) => ({
          updateOne: {
            filter: { _id, workspaceId: new Types.ObjectId(workspaceId) },
            update: { $min: { nextAt: at, wokenFor: at }, $setOnInsert: unheld },
            upsert: true,
          },
        })),
        { ordered: false },
      ),
    );
  }

  /** Asks for the turns that were planted; after their transaction. Never throws for Redis. */
  async enqueue(workspaceId: string, webhookIds: readonly string[]): Promise<void> {
    // Jobs must not come before what they are for, and must not be added again when a transaction runs again.
    if (this.transactions.running)
      throw new Error('Lanes.announce was called inside a transaction; call it afterwards');
    if (webhookIds.length === 0) return;
    const found = await this.lanes
      .find({ workspaceId, _id: { $in: objectIds(webhookIds) } }, SCHEDULED_RUN_FIELDS)
      .lean<ScheduledRun[]>();
    await this.queue.enqueue(found.flatMap(plannedOf));
  }

  /** Asks for the turns of all webhooks of these workspaces that have something due. Never throws for Redis. */
  async enqueueDue(workspaceIds: readonly string[]): Promise<void> {
    const found = await this.lanes
      .find({ workspaceId: { $in: workspaceIds }, nextAt: { $lte: this.clock.now() } }, SCHEDULED_RUN_FIELDS)
      .setOptions({ allWorkspaces: WORKER })
      .lean<ScheduledRun[]>();
    await this.queue.enqueue(found.flatMap(plannedOf));
  }

  /**
   * The webhook's lane for `leaseMs` milliseconds by the database's clock, or null while somebody else has it or when it was
   * never planted. It counts as due until `end`: when this process dies, the sweep repeats the turn after the lease.
   */
  async acquire(webhookId: string, leaseMs: number): Promise<WorkPartitionLease | null> {
    const held = await acquireRecordLease(this.lanes, webhookId, { leaseMs, now: this.clock.now(), why: WORKER });
    return held && { webhookId, ...held };
  }

  /** Holds the lane for `leaseMs` more milliseconds; false when it was lost, and then nothing more may be begun in it. */
  async renew(lane: WorkPartitionLease, leaseMs: number): Promise<boolean> {
    return renewRecordLease(this.lanes, lane.webhookId, lane, leaseMs);
  }

  /**
   * Ends the turn and plans the next one: at `nextAt` (null: none), or earlier if it was woken for an earlier time since the
   * turn began. False when it was lost: then whoever has it plans. Not inside a transaction.
   */
  async complete(lane: WorkPartitionLease, nextAt: Date | null): Promise<boolean> {
    const ended = await releaseRecordLease(this.lanes, lane.webhookId, lane, nextAt);
    if (ended) await this.queue.enqueue(plannedOf(ended));
    return ended !== null;
  }

  /** Gives every webhook that has something due, and that nobody delivers to, its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueRecords(this.lanes, this.clock.in(-SWEEP_AFTER_MS), WORKER)) {
      created += await this.queue.addMissing(page.filter(({ held }) => !held).flatMap(plannedOf));
    }
    return created;
  }
}

/** Each once, and in one order for all, so that two bulk writes do not wait for each other. */
function objectIds(ids: readonly string[]): Types.ObjectId[] {
  return [...new Set(ids)].toSorted().map((id) => new Types.ObjectId(id));
}

function plannedOf({ _id, workspaceId, nextAt, fence }: ScheduledRun): ScheduledPartition[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), webhookId: _id.toHexString(), nextAt, fence }];
}
