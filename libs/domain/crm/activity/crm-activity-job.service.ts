import { CrmError, type CrmType } from '@adapters/crm';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import {
  type CrmWorkContext,
  type CrmWorkHandler,
  CrmWorkHandlerRegistry,
} from '../work-partitions/crm-work-handler.registry';
import { CrmActivityBackfillService } from './crm-activity-backfill.service';
import { ActivityOutcomesService } from './activity-outcomes.service';
import { CrmActivityPeopleService } from './crm-activity-people.service';
import { ActivityTextsService } from './activity-texts.service';
import { CrmActivityRecord } from './schemas/crm-activity.record';

/** Tells the CRM what happened, in the order in which it did, batch by batch: never the same twice (decision 15). */
@Injectable()
export class CrmActivityJobService implements CrmWorkHandler, OnModuleInit {
  readonly name = 'activity';

  constructor(
    @InjectModel(CrmActivityRecord.name) private readonly activities: Model<CrmActivityRecord>,
    private readonly works: CrmWorkHandlerRegistry,
    private readonly people: CrmActivityPeopleService,
    private readonly texts: ActivityTextsService,
    private readonly outcomes: ActivityOutcomesService,
    private readonly backfills: CrmActivityBackfillService,
    private readonly clock: ClockPort,
  ) {}

  onModuleInit(): void {
    this.works.register(this);
  }

  async dueAt(workspaceId: string, crmType: CrmType): Promise<Date | null> {
    if (await this.backfills.isOpen(workspaceId, crmType)) return this.clock.now();
    if (await this.activities.exists({ workspaceId, crmType, state: 'handing' })) return this.clock.now();
    const first = await this.activities
      .findOne({ workspaceId, crmType, state: 'pending' }, { dueAt: 1 })
      .sort({ dueAt: 1 })
      .lean<Pick<CrmActivityRecord, 'dueAt'>>();
    return first?.dueAt ?? null;
  }

  async step(lane: CrmWorkContext): Promise<void> {
    await this.outcomes.markAbandoned(lane);
    await this.outcomes.drop(lane.workspaceId, lane.type);
    if (await this.backfills.step(lane)) return;
    const batch = await this.#due(lane);
    if (batch.length > 0) await this.#tell(lane, batch);
  }

  async onDisconnected(workspaceId: string, crmType: CrmType): Promise<void> {
    await this.outcomes.drop(workspaceId, crmType);
  }

  #due({ workspaceId, type: crmType, crm }: CrmWorkContext): Promise<CrmActivityRecord[]> {
    return this.activities
      .find({ workspaceId, crmType, state: 'pending', dueAt: { $lte: this.clock.now() } })
      .sort({ dueAt: 1, at: 1 })
      .limit(crm.session.limits.record)
      .lean<CrmActivityRecord[]>();
  }

  async #tell(lane: CrmWorkContext, batch: readonly CrmActivityRecord[]): Promise<void> {
    const told = await this.texts.of(lane.workspaceId, batch);
    const found = await this.people.of(lane, told);
    await this.people.unfound(lane, batch, { worded: told, found });
    const ready = told.flatMap((one) => {
      const externalId = found.get(one.key);
      return externalId === undefined ? [] : [{ ...one, externalId }];
    });
    if (ready.length === 0) return;
    await this.outcomes.claim(lane, ready);
    try {
      const results = await lane.crm.session.record(
        ready.map(({ email: _email, ...activity }) => activity),
        lane.signal,
      );
      await this.outcomes.settle(lane, results);
    } catch (error) {
      // The port throws it only when nothing was carried out: nobody was told anything.
      if (error instanceof CrmError) await this.outcomes.release(lane, ready, error);
      throw error;
    }
  }
}
