import { type CrmActivity, type CrmError, type CrmRecorded, type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { CrmAutomationRecord } from '../automation/schemas/crm-automation.record';
import { type CrmWorkContext } from '../work-partitions/crm-work-handler.registry';
import { CrmActivityRecord } from './schemas/crm-activity.record';

/** What happened longer ago than that is told to nobody any more. */
const TOO_LATE_MS = 7 * 86_400_000;
const TOO_LATE = 'The CRM could not be told within seven days';
const UNWANTED = 'It was switched off before the CRM was told';
const LEFT = 'The worker ended while it told the CRM, which may have it';

type Change = Partial<Pick<CrmActivityRecord, 'state' | 'reason' | 'activityId' | 'externalId'>>;

/** What becomes of activities. */
@Injectable()
export class ActivityOutcomesService {
  constructor(
    @InjectModel(CrmActivityRecord.name) private readonly activities: Model<CrmActivityRecord>,
    @InjectModel(CrmAutomationRecord.name) private readonly automations: Model<CrmAutomationRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The CRM is about to be told: whoever dies from now on has told it, for all that anybody knows.
   * @throws CrmLaneLost, and then nothing is to be told
   */
  async claim(lane: CrmWorkContext, activities: readonly CrmActivity[]): Promise<void> {
    await this.transactions.run(async () => {
      await lane.hold();
      await this.#change(
        lane.workspaceId,
        ['pending'],
        activities.map(({ key, externalId }) => [key, { state: 'handing', externalId, reason: null }]),
      );
    });
  }

  /** What the CRM answered holds whoever has the lane by now. */
  async settle({ workspaceId }: CrmWorkContext, results: readonly CrmRecorded[]): Promise<void> {
    const changes = results.map((result): [string, Change] => [result.key, changeOf(result)]);
    await this.#change(workspaceId, ['handing', 'unknown'], changes);
  }

  /** Nobody was told: they are due again, unless the CRM never takes them. */
  async release({ workspaceId }: CrmWorkContext, activities: readonly CrmActivity[], error: CrmError): Promise<void> {
    const state = error.failure === 'permanent' ? 'refused' : 'pending';
    const changes = activities.map(({ key }): [string, Change] => [key, { state, reason: error.message }]);
    await this.#change(workspaceId, ['handing'], changes);
  }

  /** What a worker had in hand that died, or lost the lane. */
  async markAbandoned(lane: CrmWorkContext): Promise<void> {
    const { workspaceId, type: crmType } = lane;
    if (!(await this.activities.exists({ workspaceId, crmType, state: 'handing' }))) return;
    await this.transactions.run(async () => {
      await lane.hold();
      const change = { $set: { state: 'unknown' as const, reason: LEFT } };
      await this.activities.updateMany({ workspaceId, crmType, state: 'handing' }, change, { timestamps: false });
    });
  }

  /** What waited too long, and what nobody wants to be told any more, is not told. */
  async drop(workspaceId: string, crmType: CrmType): Promise<void> {
    const pending = { workspaceId, crmType, state: 'pending' as const };
    const automation = await this.automations.findOne({ workspaceId, crmType }, { activities: 1 }).lean();
    const unwanted = { ...pending, event: { $nin: automation?.activities ?? [] } };
    await this.#dropped(unwanted, { state: 'skipped', reason: UNWANTED });
    await this.#dropped(
      { ...pending, createdAt: { $lte: this.clock.in(-TOO_LATE_MS) } },
      { state: 'refused', reason: TOO_LATE },
    );
  }

  async #dropped(which: Record<string, unknown>, change: Change): Promise<void> {
    if (!(await this.activities.exists(which))) return;
    await this.activities.updateMany(which, { $set: change }, { timestamps: false });
  }

  async #change(
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

function changeOf(result: CrmRecorded): Change {
  if (result.kind === 'recorded') return { state: 'recorded', activityId: result.activityId, reason: null };
  return { state: result.kind === 'ambiguous' ? 'unknown' : 'refused', reason: result.message };
}
