import { SendReadRepository } from '@domain/sends';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { type Model, type Types } from 'mongoose';
import { MAX_PER_EMAIL } from '../hits/hit-budget';
import { TrackingHitRecord } from '../schemas/tracking-hit.record';
import { toFacts } from './hit-facts';
import { classifyHit, type HitClassification } from './classify-hit';
import { type ClassifiedHit, getEngagement } from './engagement';
import { EngagementRecorderService } from './engagement-recorder.service';

type Due = Pick<TrackingHitRecord, 'sendId' | 'workspaceId'>;

const BATCH = 500;
/** Wait before hits that failed are classified again. */
const RETRY_MS = 60_000;

/** Classifies hits some seconds after they arrive and counts opens and clicks in the same transaction. */
@Injectable()
export class HitClassificationService {
  constructor(
    @InjectModel(TrackingHitRecord.name) private readonly hits: Model<TrackingHitRecord>,
    private readonly sends: SendReadRepository,
    private readonly engagements: EngagementRecorderService,
    private readonly workspaces: WorkspaceRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** Classifies all hits that are due, email by email. A failure is logged, and its hits are retried a minute later. */
  async classifyDue(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    for (;;) {
      const due = await this.hits
        .find({ classifyAt: { $gt: new Date(0), $lte: now } }, { sendId: 1, workspaceId: 1 })
        .setOptions({ allWorkspaces: 'the worker classifies the hits of all workspaces' })
        .sort({ classifyAt: 1 })
        .limit(BATCH)
        .lean<Due[]>();
      const sends = new Map(due.map((hit) => [hit.sendId.toHexString(), hit]));
      for (const hit of sends.values()) {
        signal?.throwIfAborted();
        await this.#classifyOrPostpone(hit, now);
      }
      if (due.length < BATCH) return;
    }
  }

  async #classifyOrPostpone({ workspaceId, sendId }: Due, now: Date): Promise<void> {
    try {
      await this.#classify(workspaceId, sendId, now);
    } catch (error) {
      this.log.error('Hits could not be classified', error, { sendId: sendId.toHexString() });
      await this.hits.updateMany(
        { workspaceId, sendId, classifyAt: { $gt: new Date(0), $lte: now } },
        { $set: { classifyAt: new Date(now.getTime() + RETRY_MS) } },
      );
    }
  }

  async #classify(workspaceId: Types.ObjectId, sendId: Types.ObjectId, now: Date): Promise<void> {
    const send = await this.sends.findById(sendId.toHexString());
    const of = { workspaceId, sendId };
    // For an email with more hits, the latest decide.
    const all = await this.hits.find(of).sort({ firstAt: -1 }).limit(MAX_PER_EMAIL).lean<TrackingHitRecord[]>();
    const due = await this.hits
      .find({ ...of, classifyAt: { $gt: new Date(0), $lte: now } })
      .limit(BATCH)
      .lean<TrackingHitRecord[]>();
    const classified = due.map((hit) => {
      const { _id, kind, link, firstAt } = hit;
      return { _id, kind, link, firstAt, ...(send ? classifyHit(toFacts(hit, send, all)) : SEND_DELETED) };
    });
    const alike = Map.groupBy(classified, ({ verdict, rule }) => `${verdict} ${rule}`);
    const isAlive = (await this.workspaces.filterAlive([workspaceId.toHexString()])).size > 0;
    await this.transactions.run(async () => {
      // One write per verdict and rule: hundreds of hits share a few.
      for (const same of alike.values()) await this.#writeVerdict(workspaceId, same);
      if (send && isAlive) await this.engagements.record(send, getEngagement(classified));
      if (send && !send.hitsFullAt && all.length >= MAX_PER_EMAIL) await this.sends.mark(send, 'hitsFullAt', now);
    });
  }

  /** @param same hits with the same verdict and rule */
  async #writeVerdict(workspaceId: Types.ObjectId, same: readonly ClassifiedHit[]): Promise<void> {
    const [first] = same;
    if (!first) return;
    const { verdict, rule } = first;
    const ids = same.map(({ _id }) => _id);
    await this.hits.updateMany({ workspaceId, _id: { $in: ids } }, { $set: { verdict, rule, classifyAt: null } });
  }
}

const SEND_DELETED: HitClassification = { verdict: 'unknown', rule: 'no_send' };
