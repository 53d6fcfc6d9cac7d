import { type CrmType, isCrmType } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type EventRecord, EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { conflict, invalidField, notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { isSubscribedToActivity } from '../automation/automation-subscription';
import { type ActivityBackfillResponse, toActivityBackfill } from '../automation/dto/crm-automation.dto';
import { type BackfillActivitiesRequest } from '../automation/dto/crm-automation-requests.dto';
import { type Backfill, CrmAutomationRecord } from '../automation/schemas/crm-automation.record';
import { type CrmWorkContext } from '../work-partitions/crm-work-handler';
import { CrmWorkPartitionService } from '../work-partitions/crm-work-partition.service';
import { CrmActivitiesService } from './crm-activities.service';

/** Events per step. */
const EVENTS_PER_STEP = 500;
const LONG_AGO = new Date(0);

/** Posts past events to a CRM. Each event becomes one activity, however often a period is repeated. */
@Injectable()
export class CrmActivityBackfillService {
  constructor(
    @InjectModel(CrmAutomationRecord.name) private readonly automations: Model<CrmAutomationRecord>,
    private readonly history: EventsService,
    private readonly activities: CrmActivitiesService,
    private readonly partitions: CrmWorkPartitionService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Starts a backfill of the subscribed events of a period.
   * @throws NOT_FOUND when nothing is set for this CRM, CONFLICT while one runs or when no activity is chosen, VALIDATION_ERROR
   */
  async start(
    workspace: WorkspaceScope,
    type: string,
    { from, to }: BackfillActivitiesRequest,
  ): Promise<ActivityBackfillResponse> {
    const now = this.clock.now();
    const backfill: Backfill = {
      from: new Date(from),
      to: new Date(Math.min(to === undefined ? now.getTime() : Date.parse(to), now.getTime())),
      position: null,
      made: 0,
      completedAt: null,
    };
    if (backfill.from >= backfill.to) throw invalidField('from', 'from must be before to, and in the past');
    const crmType = await this.transactions.run(async () => {
      const { workspaceId } = workspace;
      const record = isCrmType(type)
        ? await this.automations.findOne({ workspaceId, crmType: type }).lean<CrmAutomationRecord>()
        : null;
      if (!record) throw notFound('Automation');
      if (record.activities.length === 0) throw conflict('Choose first which activities are posted to the CRM');
      if (isOpenBackfill(record)) throw conflict('Another backfill is running; wait until it has completed');
      await this.automations.updateOne({ _id: record._id, workspaceId }, { $set: { backfill } });
      await this.partitions.schedule(workspaceId, record.crmType);
      await this.audit.record(workspace, {
        action: 'integration.updated',
        target: { type: 'integration', id: record.crmType },
        changes: { backfill: { from: null, to: { from: backfill.from.toISOString(), to: backfill.to.toISOString() } } },
      });
      return record.crmType;
    });
    await this.partitions.enqueue(workspace.workspaceId, crmType);
    return toActivityBackfill(backfill);
  }

  async isOpen(workspaceId: string, crmType: CrmType): Promise<boolean> {
    const record = await this.automations
      .findOne({ workspaceId, crmType }, { backfill: 1 })
      .lean<CrmAutomationRecord>();
    return record !== null && isOpenBackfill(record);
  }

  /**
   * Runs one step: activities, count and position are written in one transaction.
   * @returns whether there was a step to run
   */
  async step(context: CrmWorkContext): Promise<boolean> {
    const { workspaceId, type: crmType } = context;
    const record = await this.automations.findOne({ workspaceId, crmType }).lean<CrmAutomationRecord>();
    if (!record?.backfill || !isOpenBackfill(record)) return false;
    const { from, to, position } = record.backfill;
    const page = await this.history.page({ workspaceId }, { from, to, after: position }, EVENTS_PER_STEP);
    const selected = await this.#selectEvents(record, page);
    const last = page.at(-1);
    await this.transactions.run(async () => {
      await context.requireLease();
      const made = await this.activities.create(selected.map((event) => ({ crmType, event })));
      await this.automations.updateOne(
        { _id: record._id, workspaceId, 'backfill.from': from, 'backfill.completedAt': null },
        {
          $set: {
            ...(last && { 'backfill.position': { at: last.at, id: last._id } }),
            ...(page.length < EVENTS_PER_STEP && { 'backfill.completedAt': this.clock.now() }),
          },
          $inc: { 'backfill.made': made },
        },
        { timestamps: false },
      );
    });
    return true;
  }

  async #selectEvents(
    record: CrmAutomationRecord,
    page: Awaited<ReturnType<EventsService['page']>>,
  ): Promise<EventRecord[]> {
    const kinds = page.filter(({ type }) => (record.activities as readonly string[]).includes(type));
    const events = await this.history.read(
      { workspaceId: record.workspaceId.toHexString() },
      kinds.map(({ _id }) => _id),
    );
    const { workspaceId, crmType, activities, pushOn, campaignIds } = record;
    const subscription = { workspaceId, crmType, activities, pushOn, campaignIds, since: LONG_AGO };
    return events.filter((event) => isSubscribedToActivity(subscription, event));
  }
}

function isOpenBackfill({ backfill }: Pick<CrmAutomationRecord, 'backfill'>): boolean {
  return backfill !== null && backfill.completedAt === null;
}
