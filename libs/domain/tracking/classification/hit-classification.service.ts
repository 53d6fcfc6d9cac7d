import { systemScope } from '@domain/access';
import { type CampaignCount, CampaignCountersService, CampaignRepository } from '@domain/campaigns';
import { EventsService, type NewEvent } from '@domain/events';
import { WorkspaceRepository } from '@domain/identity';
import { LeadRepository } from '@domain/leads';
import { MailboxFiguresService } from '@domain/mailboxes';
import { SendReadRepository, type SendRecord } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type Model, type Types } from 'mongoose';
import { MAX_PER_EMAIL } from '../hits/hit-budget';
import { TrackingHitRecord } from '../schemas/tracking-hit.record';
import { aboutSend, sendData } from '../send-event';
import { classifyHit, type HitClassification } from './classify-hit';
import { type ClassifiedHit, type Engagement, type EngagementSighting, getEngagement } from './engagement';
import { toFacts } from './hit-facts';

type Due = Pick<TrackingHitRecord, 'sendId' | 'workspaceId'>;

const BATCH = 500;
/** Wait before hits that failed are classified again. */
const RETRY_MS = 60_000;

const SEND_DELETED: HitClassification = { verdict: 'unknown', rule: 'no_send' };

type Action = 'opened' | 'clicked';

/** Classifies hits some seconds after they arrive and counts opens and clicks in the same transaction. */
@Injectable()
export class HitClassificationService {
  constructor(
    @InjectModel(TrackingHitRecord.name) private readonly hits: Model<TrackingHitRecord>,
    private readonly sends: SendReadRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
    private readonly leads: LeadRepository,
    private readonly campaigns: CampaignRepository,
    private readonly counters: CampaignCountersService,
    private readonly figures: MailboxFiguresService,
    private readonly events: EventsService,
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
      if (send && isAlive) await this.#recordEngagement(send, getEngagement(classified));
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

  /**
   * Counts opens and clicks of the email, each once, and records events for those by people. A deleted campaign counts
   * nothing. Joins the running transaction, in which the verdicts are written.
   */
  async #recordEngagement(send: SendRecord, engagement: Engagement): Promise<void> {
    if (Object.keys(engagement).length === 0) return;
    // An open proves the delivery, also where the mail server gave no answer.
    if (send.state === 'ambiguous' || send.state === 'sending') await this.sends.markProven(send);
    if (!(await this.campaigns.peek(send.workspaceId, send.campaignId))) return;
    const stats: NonNullable<CampaignCount['stats']> = {};
    const steps: { opened?: number; clicked?: number } = {};
    for (const action of ['opened', 'clicked'] as const) {
      const sighting = engagement[action];
      const isFirst = sighting && (await this.#recordFirst(send, action, sighting));
      if (isFirst === undefined || isFirst === null) continue;
      steps[action] = 1;
      if (isFirst) stats[action] = 1;
    }
    if (engagement.machineOpened && (await this.sends.mark(send, 'machineOpenedAt', engagement.machineOpened.at))) {
      stats.machineOpened = 1;
    }
    if (engagement.machineClicked && (await this.sends.mark(send, 'machineClickedAt', engagement.machineClicked.at))) {
      stats.machineClicked = 1;
    }
    const count = { stats, steps: { [send.stepId.toHexString()]: steps } };
    await this.counters.count(send.workspaceId, send.campaignId, send.mailboxId, count);
  }

  /** Returns whether it is the lead's first; null when it does not count: a repetition, or a deleted lead. */
  async #recordFirst(send: SendRecord, action: Action, sighting: EngagementSighting): Promise<boolean | null> {
    const { at } = sighting;
    if (!(await this.sends.mark(send, `${action}At`, at))) return null;
    const { workspaceId } = send;
    if (!(await this.leads.find(workspaceId, send.leadId))) return null;
    const firstOfLead = await this.leads.markFirst({ _id: send.leadId, workspaceId }, `${action}At`, at);
    await this.events.record(systemScope(workspaceId.toHexString()), toEvent(send, action, sighting, firstOfLead));
    await this.#countForMailbox(send, action, at);
    return firstOfLead;
  }

  /** A deleted mailbox counts nothing. */
  async #countForMailbox({ workspaceId, mailboxId }: SendRecord, action: Action, at: Date): Promise<void> {
    try {
      const workspace = { workspaceId: workspaceId.toHexString() };
      await this.figures.count(workspace, mailboxId.toHexString(), { [action]: 1 }, at);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}

function toEvent(
  send: SendRecord,
  action: Action,
  { at, link, rule }: EngagementSighting,
  firstOfLead: boolean,
): NewEvent {
  const url = link === null ? null : (send.links[link] ?? null);
  return {
    type: `email.${action}`,
    dedupeKey: `email.${action}:${send._id.toHexString()}`,
    about: aboutSend(send),
    data: { ...sendData(send), firstOfLead, rule, link, url },
    at,
  };
}
