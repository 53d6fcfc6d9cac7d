import { type WorkspaceScope } from '@domain/access';
import { CampaignRepository, type CampaignHooks, CAMPAIGN_HOOKS } from '@domain/campaigns';
import { type EventRecord, type EventSubscriber, EVENT_SUBSCRIBERS } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict } from '@platform/database';
import { Listens } from '@platform/hooks';
import { type Model, type Types } from 'mongoose';
import { CampaignDayRecord } from '../schemas/campaign-day.record';
import { COUNTED_EVENTS, getIncrements } from './day-figures';

/** Builds the days of campaigns from relayed events. */
@Injectable()
@Listens(CAMPAIGN_HOOKS)
@Listens(EVENT_SUBSCRIBERS)
export class CampaignDaysListener implements EventSubscriber, CampaignHooks {
  readonly name = 'campaign-days';
  readonly types = new Set(COUNTED_EVENTS);

  constructor(
    @InjectModel(CampaignDayRecord.name) private readonly days: Model<CampaignDayRecord>,
    private readonly campaigns: CampaignRepository,
  ) {}

  /** Joins the running transaction. Deleted campaigns get no figures. */
  async handle(events: readonly EventRecord[]): Promise<void> {
    const existing = new Set(
      (await this.campaigns.existing(listCampaignIds(events))).map(({ _id }) => _id.toHexString()),
    );
    const increments = getIncrements(
      events.filter(({ campaignId }) => campaignId && existing.has(campaignId.toHexString())),
    );
    if (increments.length === 0) return;
    await rerunOnWriteConflict(() =>
      this.days.bulkWrite(
        increments.map(({ by, ...filter }) => ({ updateOne: { filter, update: { $inc: by }, upsert: true } })),
        { ordered: false },
      ),
    );
  }

  async eraseCampaign({ workspaceId }: Pick<WorkspaceScope, 'workspaceId'>, campaignId: string): Promise<void> {
    await this.days.deleteMany({ workspaceId, campaignId });
  }
}

function listCampaignIds(events: readonly EventRecord[]): Types.ObjectId[] {
  const ids = new Map(events.flatMap(({ campaignId: id }) => (id ? [[id.toHexString(), id] as const] : [])));
  return [...ids.values()];
}
