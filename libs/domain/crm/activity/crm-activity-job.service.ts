import { CrmError, type CrmType, type CrmActivity, type CrmRecorded } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { Listens } from '@platform/hooks';
import { type Model } from 'mongoose';
import { type CrmWorkContext, type CrmWorkHandler, CRM_WORK_HANDLERS } from '../work-partitions/crm-work-handler';
import { CrmAutomationRecord } from '../automation/schemas/crm-automation.record';
import { CrmActivityBackfillService } from './crm-activity-backfill.service';
import { CrmActivityPeopleService } from './crm-activity-people.service';
import { CrmActivitiesService } from './crm-activities.service';
import { CrmActivityRecord } from './schemas/crm-activity.record';

/** Older activities are not posted any more. */
const MAX_AGE_MS = 7 * 86_400_000;

const EXPIRED_REASON = 'The activity could not be posted to the CRM within seven days';

const SWITCHED_OFF_REASON = 'Activities were switched off before it was posted';

const INTERRUPTED_REASON = 'The worker ended during the request; the CRM may have it';

type Change = Partial<Pick<CrmActivityRecord, 'state' | 'reason' | 'activityId' | 'externalId'>>;

/** Posts due activities to the CRM in the order of their events, in batches, none twice (decision 29). */
@Injectable()
@Listens(CRM_WORK_HANDLERS)
export class CrmActivityJobService implements CrmWorkHandler {
  readonly name = 'activity';

  constructor(
    @InjectModel(CrmActivityRecord.name) private readonly activities: Model<CrmActivityRecord>,
    private readonly people: CrmActivityPeopleService,
    private readonly texts: CrmActivitiesService,
    private readonly backfills: CrmActivityBackfillService,
    private readonly clock: ClockPort,
    @InjectModel(CrmAutomationRecord.name) private readonly automations: Model<CrmAutomationRecord>,
    private readonly transactions: TransactionService,
  ) {}

  async dueAt(workspaceId: string, crmType: CrmType): Promise<Date | null> {
    if (await this.backfills.isOpen(workspaceId, crmType)) return this.clock.now();
    if (await this.activities.exists({ workspaceId, crmType, state: 'sending' })) return this.clock.now();
    const first = await this.activities
      .findOne({ workspaceId, crmType, state: 'pending' }, { dueAt: 1 })
      .sort({ dueAt: 1 })
      .lean<Pick<CrmActivityRecord, 'dueAt'>>();
    return first?.dueAt ?? null;
  }

  async step(context: CrmWorkContext): Promise<void> {
    await this.#markAbandoned(context);
    await this.#drop(context.workspaceId, context.type);
    if (await this.backfills.step(context)) return;
    const batch = await this.#listDue(context);
    if (batch.length > 0) await this.#post(context, batch);
  }

  async onDisconnected(workspaceId: string, crmType: CrmType): Promise<void> {
    await this.#drop(workspaceId, crmType);
  }

  #listDue({ workspaceId, type: crmType, crm }: CrmWorkContext): Promise<CrmActivityRecord[]> {
    return this.activities
      .find({ workspaceId, crmType, state: 'pending', dueAt: { $lte: this.clock.now() } })
      .sort({ dueAt: 1, at: 1 })
      .limit(crm.session.limits.record)
      .lean<CrmActivityRecord[]>();
  }

  async #post(context: CrmWorkContext, batch: readonly CrmActivityRecord[]): Promise<void> {
    const worded = await this.texts.composeTexts(context.workspaceId, batch);
    const found = await this.people.findExternalIds(context, worded);
    await this.people.deferUnresolved(context, batch, { worded, found });
    const ready = worded.flatMap((one) => {
      const externalId = found.get(one.key);
      return externalId === undefined ? [] : [{ ...one, externalId }];
    });
    if (ready.length === 0) return;
    await this.#claim(context, ready);
    try {
      const results = await context.crm.session.record(
        ready.map(({ email: _email, ...activity }) => activity),
        context.signal,
      );
      await this.#settle(context, results);
    } catch (error) {
      // The port throws it only when nothing was written.
      if (error instanceof CrmError) await this.#release(context, ready, error);
      throw error;
    }
  }

  /**
   * Claims activities before the request: after a crash they may have been posted.
   * @throws CrmLeaseLostError: then nothing may be posted
   */
  async #claim(context: CrmWorkContext, activities: readonly CrmActivity[]): Promise<void> {
    await this.transactions.run(async () => {
      await context.requireLease();
      await this.#update(
        context.workspaceId,
        ['pending'],
        activities.map(({ key, externalId }) => [key, { state: 'sending', externalId, reason: null }]),
      );
    });
  }

  /** Records the CRM's results, even if the lease was lost meanwhile. */
  async #settle({ workspaceId }: CrmWorkContext, results: readonly CrmRecorded[]): Promise<void> {
    const changes = results.map((result): [string, Change] => [result.key, toActivityChange(result)]);
    await this.#update(workspaceId, ['sending', 'unknown'], changes);
  }

  /** Returns activities of a failed request to pending, unless the error is permanent. */
  async #release({ workspaceId }: CrmWorkContext, activities: readonly CrmActivity[], error: CrmError): Promise<void> {
    const state = error.failure === 'permanent' ? 'refused' : 'pending';
    const changes = activities.map(({ key }): [string, Change] => [key, { state, reason: error.message }]);
    await this.#update(workspaceId, ['sending'], changes);
  }

  /** Marks activities of a crashed worker or a lost lease: their outcome is unknown. */
  async #markAbandoned(context: CrmWorkContext): Promise<void> {
    const { workspaceId, type: crmType } = context;
    if (!(await this.activities.exists({ workspaceId, crmType, state: 'sending' }))) return;
    await this.transactions.run(async () => {
      await context.requireLease();
      const change = { $set: { state: 'unknown' as const, reason: INTERRUPTED_REASON } };
      await this.activities.updateMany({ workspaceId, crmType, state: 'sending' }, change, { timestamps: false });
    });
  }

  /** Drops activities that waited too long or are no longer subscribed. */
  async #drop(workspaceId: string, crmType: CrmType): Promise<void> {
    const pending = { workspaceId, crmType, state: 'pending' as const };
    const automation = await this.automations.findOne({ workspaceId, crmType }, { activities: 1 }).lean();
    const unwanted = { ...pending, event: { $nin: automation?.activities ?? [] } };
    await this.#dropMatching(unwanted, { state: 'skipped', reason: SWITCHED_OFF_REASON });
    await this.#dropMatching(
      { ...pending, createdAt: { $lte: this.clock.in(-MAX_AGE_MS) } },
      { state: 'refused', reason: EXPIRED_REASON },
    );
  }

  async #dropMatching(which: Record<string, unknown>, change: Change): Promise<void> {
    if (!(await this.activities.exists(which))) return;
    await this.activities.updateMany(which, { $set: change }, { timestamps: false });
  }

  async #update(
    workspaceId: string,
    from: readonly CrmActivityRecord['state'][],
    changes: readonly (readonly [key: string, Change])[],
  ): Promise<void> {
    if (changes.length === 0) return;
    await this.activities.bulkWrite(
      changes.map(([_id, $set]) => ({
        updateOne: { filter: { _id, workspaceId, state: { $in: [...from] } }, update: { $set } },
      })) as never,
      { ordered: false, timestamps: false },
    );
  }
}

function toActivityChange(result: CrmRecorded): Change {
  if (result.kind === 'recorded') return { state: 'recorded', activityId: result.activityId, reason: null };
  return { state: result.kind === 'ambiguous' ? 'unknown' : 'refused', reason: result.message };
}
