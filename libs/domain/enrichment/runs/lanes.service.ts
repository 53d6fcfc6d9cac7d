import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { dueTurns, rerunOnLostRace, Transactions } from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Model, Types } from 'mongoose';
import { EnrichmentLaneRecord } from '../schemas/enrichment-lane.record';
import { type Lane } from './lane';
import { EnrichmentLaneQueue, type PlannedLane } from './lanes.queue';

/** Places at which workers do the jobs of one workspace at the same time. */
const LANES = 4;
/** How late a lane may be before the sweep asks for its job. */
const SWEEP_AFTER_MS = 3_000;
const NEVER = new Date(0);

const WORKER = 'the worker does the enrichment jobs of all workspaces';
const PLANNED = { workspaceId: 1, nextAt: 1, fence: 1 } as const;
type Planned = Pick<EnrichmentLaneRecord, '_id' | 'workspaceId' | 'nextAt' | 'fence'>;

/** Which worker does the jobs of which workspace, and when there is something to do; as the lanes of webhooks. */
@Injectable()
export class EnrichmentLanes implements Sweep {
  readonly name = 'enrichment-lane';

  constructor(
    @InjectModel(EnrichmentLaneRecord.name) private readonly lanes: Model<EnrichmentLaneRecord>,
    private readonly queue: EnrichmentLaneQueue,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** There is something to do now for `wanted` workers, of which LANES at most come: in the transaction of its cause. */
  async plant(workspaceId: string, wanted: number): Promise<void> {
    const at = this.clock.now();
    const unheld = { holder: '', fence: 0, leaseUntil: NEVER };
    const numbers = Array.from({ length: Math.min(LANES, wanted) }, (_, number) => number);
    await rerunOnLostRace(() =>
      this.lanes.bulkWrite(
        numbers.map((number) => ({
          updateOne: {
            filter: { workspaceId: new Types.ObjectId(workspaceId), number },
            update: { $min: { nextAt: at, wokenFor: at }, $setOnInsert: unheld },
            upsert: true,
          },
        })),
      ),
    );
  }

  /** Asks for the turns that were planted; after their transaction. Never throws for Redis. */
  async announce(workspaceId: string): Promise<void> {
    // Jobs must not come before what they are for, and must not be added again when a transaction runs again.
    if (this.transactions.running)
      throw new Error('EnrichmentLanes.announce was called inside a transaction; call it afterwards');
    const found = await this.lanes.find({ workspaceId }, PLANNED).lean<Planned[]>();
    await this.queue.announce(found.flatMap(plannedOf));
  }

  /**
   * The lane for `leaseMs` milliseconds by the database's clock, or null while somebody else has it. It counts as due until
   * `end`: when this process dies, the sweep repeats the turn after the lease.
   */
  async take(laneId: string, leaseMs: number): Promise<Lane | null> {
    const holder = randomUUID();
    const after = await this.lanes.findOneAndUpdate(
      { _id: laneId },
      [
        {
          $set: {
            holder: ifFree(holder, '$holder'),
            fence: ifFree({ $add: ['$fence', 1] }, '$fence'),
            leaseUntil: ifFree({ $add: ['$$NOW', leaseMs] }, '$leaseUntil'),
            nextAt: ifFree({ $min: ['$nextAt', this.clock.now()] }, '$nextAt'),
            wokenFor: ifFree('$$REMOVE', '$wokenFor'),
          },
        },
      ],
      { returnDocument: 'after', lean: true, updatePipeline: true, allWorkspaces: WORKER },
    );
    if (after?.holder !== holder) return null;
    return { laneId, workspaceId: after.workspaceId.toHexString(), holder, fence: after.fence };
  }

  /** Holds the lane for `leaseMs` more milliseconds; false when it was lost, and then nothing more may be begun in it. */
  async renew(lane: Lane, leaseMs: number): Promise<boolean> {
    const { matchedCount } = await this.lanes.updateOne(
      heldBy(lane),
      [{ $set: { leaseUntil: { $add: ['$$NOW', leaseMs] } } }],
      { updatePipeline: true },
    );
    return matchedCount === 1;
  }

  /**
   * Ends the turn and plans the next one: at `nextAt` (null: none), or earlier if it was woken for an earlier time since the
   * turn began. False when it was lost: then whoever has it plans. Not inside a transaction.
   */
  async end(lane: Lane, nextAt: Date | null): Promise<boolean> {
    const next = { $min: [nextAt, '$wokenFor'] }; // null and what is absent are ignored here
    const ended = await this.lanes
      .findOneAndUpdate(
        heldBy(lane),
        [
          { $set: { holder: '', fence: { $add: ['$fence', 1] }, leaseUntil: NEVER, nextAt: next } },
          { $set: { nextAt: { $ifNull: ['$nextAt', '$$REMOVE'] }, wokenFor: '$$REMOVE' } },
        ],
        { returnDocument: 'after', updatePipeline: true, projection: PLANNED },
      )
      .lean<Planned | null>();
    if (ended) await this.queue.announce(plannedOf(ended));
    return ended !== null;
  }

  /** Gives every lane that has something due, and that nobody holds, its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueTurns(this.lanes, this.clock.in(-SWEEP_AFTER_MS), WORKER)) {
      created += await this.queue.addMissing(page.filter(({ held }) => !held).flatMap(plannedOf));
    }
    return created;
  }
}

/** Only the holder's filter: without effect as soon as somebody else took the lane, or the turn ended. */
function heldBy({ laneId, workspaceId, holder, fence }: Lane) {
  return { _id: new Types.ObjectId(laneId), workspaceId, holder, fence };
}

function plannedOf({ _id, workspaceId, nextAt, fence }: Planned): PlannedLane[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), laneId: _id.toHexString(), nextAt, fence }];
}

/** One value if nobody holds the lane, by the database's clock, another if somebody does. */
function ifFree(value: unknown, otherwise: unknown) {
  return { $cond: [{ $lte: ['$leaseUntil', '$$NOW'] }, value, otherwise] };
}
