import { SendTrackingRepository } from '@domain/sends';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { type Model, type Types } from 'mongoose';
import { MOST_OF_EMAIL } from '../hits/hit-budget';
import { TrackingHitRecord } from '../schemas/tracking-hit.record';
import { toFacts } from './hit-facts';
import { type Judgement, classifyHit } from './classify-hit';
import { seenBy } from './engagement';
import { EngagementRecorderService } from './engagement-recorder.service';

type Due = Pick<TrackingHitRecord, 'sendId' | 'workspaceId'>;
type JudgedHit = Judgement & Pick<TrackingHitRecord, '_id'>;

const BATCH = 500;
/** When hits are looked at again that could not be judged. */
const AGAIN_MS = 60_000;

/** Says of hits, some seconds after them, whose they were, and has that counted in the same transaction. */
@Injectable()
export class HitClassificationService {
  constructor(
    @InjectModel(TrackingHitRecord.name) private readonly hits: Model<TrackingHitRecord>,
    private readonly sends: SendTrackingRepository,
    private readonly sights: EngagementRecorderService,
    private readonly workspaces: WorkspaceRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** Judges all hits whose time has come, email by email. What fails is logged, and tried again a minute later. */
  async classifyDue(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    for (;;) {
      const due = await this.hits
        .find({ judgeAt: { $gt: new Date(0), $lte: now } }, { sendId: 1, workspaceId: 1 })
        .setOptions({ allWorkspaces: 'the worker judges the hits of all workspaces' })
        .sort({ judgeAt: 1 })
        .limit(BATCH)
        .lean<Due[]>();
      const sends = new Map(due.map((hit) => [hit.sendId.toHexString(), hit]));
      for (const hit of sends.values()) {
        signal?.throwIfAborted();
        await this.#judgeOrPutOff(hit, now);
      }
      if (due.length < BATCH) return;
    }
  }

  async #judgeOrPutOff({ workspaceId, sendId }: Due, now: Date): Promise<void> {
    try {
      await this.#judge(workspaceId, sendId, now);
    } catch (error) {
      this.log.error('Hits could not be judged', error, { sendId: sendId.toHexString() });
      await this.hits.updateMany(
        { workspaceId, sendId, judgeAt: { $gt: new Date(0), $lte: now } },
        { $set: { judgeAt: new Date(now.getTime() + AGAIN_MS) } },
      );
    }
  }

  async #judge(workspaceId: Types.ObjectId, sendId: Types.ObjectId, now: Date): Promise<void> {
    const send = await this.sends.find(sendId.toHexString());
    const of = { workspaceId, sendId };
    // Of an email with more hits the latest decide.
    const all = await this.hits.find(of).sort({ firstAt: -1 }).limit(MOST_OF_EMAIL).lean<TrackingHitRecord[]>();
    const due = await this.hits
      .find({ ...of, judgeAt: { $gt: new Date(0), $lte: now } })
      .limit(BATCH)
      .lean<TrackingHitRecord[]>();
    const judged = due.map((hit) => {
      const { _id, kind, link, firstAt } = hit;
      return { _id, kind, link, firstAt, ...(send ? classifyHit(toFacts(hit, send, all)) : GONE) };
    });
    const alike = Map.groupBy(judged, ({ verdict, rule }) => `${verdict} ${rule}`);
    const isAlive = (await this.workspaces.filterAlive([workspaceId.toHexString()])).size > 0;
    await this.transactions.run(async () => {
      // Hundreds of hits come to a few judgements.
      for (const same of alike.values()) await this.#note(workspaceId, same);
      if (send && isAlive) await this.sights.record(send, seenBy(judged));
      if (send && !send.hitsFullAt && all.length >= MOST_OF_EMAIL) await this.sends.mark(send, 'hitsFullAt', now);
    });
  }

  /** @param same hits of one judgement */
  async #note(workspaceId: Types.ObjectId, same: readonly JudgedHit[]): Promise<void> {
    const [first] = same;
    if (!first) return;
    const { verdict, rule } = first;
    const ids = same.map(({ _id }) => _id);
    await this.hits.updateMany({ workspaceId, _id: { $in: ids } }, { $set: { verdict, rule, judgeAt: null } });
  }
}

const GONE: Judgement = { verdict: 'unknown', rule: 'no_send' };
