import { isCrmType, type CrmType, type CrmActivity } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { CampaignRepository } from '@domain/campaigns';
import { type EventRecord, EventsService } from '@domain/events';
import { ERASED_DOMAIN } from '@platform/personal-data';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, PageService, rerunOnWriteConflict } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { type CrmActivityQuery, type CrmActivityResponse, toCrmActivity } from './dto/crm-activity.dto';
import { CrmActivityRecord } from './schemas/crm-activity.record';
import { type ActivityEvent } from './activity-events';
import { composeActivityText } from './activity-phrases';

/** An event to post to a CRM. */
export interface NewActivityInput {
  readonly crmType: CrmType;
  readonly event: EventRecord;
}

/** An activity without its person yet. */
export type ActivityDraft = Omit<CrmActivity, 'externalId'> & { readonly email: string };

/** Timeline activities of CRMs: the log, their creation and their texts. */
@Injectable()
export class CrmActivitiesService {
  constructor(
    @InjectModel(CrmActivityRecord.name) private readonly activities: Model<CrmActivityRecord>,
    private readonly pages: PageService,
    private readonly clock: ClockPort,
    private readonly events: EventsService,
    private readonly campaigns: CampaignRepository,
  ) {}

  /** Newest first; of the last 30 days. @throws NOT_FOUND for an unknown CRM */
  async list(
    { workspaceId }: WorkspaceScope,
    type: string,
    { state, limit, cursor }: CrmActivityQuery,
  ): Promise<Page<CrmActivityResponse>> {
    if (!isCrmType(type)) throw notFound('Integration');
    const filter = { workspaceId, crmType: type, ...(state && { state }) };
    return this.pages.read(this.activities, { scope: workspaceId, filter, page: { limit, cursor } }, toCrmActivity);
  }

  /** Creates the missing activities: one per event and CRM. Joins the running transaction. @returns the number of created records */
  async create(inputs: readonly NewActivityInput[]): Promise<number> {
    const activities = inputs.flatMap(({ crmType, event }) => this.#toActivity(crmType, event));
    if (activities.length === 0) return 0;
    const known = await this.activities
      .find(
        {
          workspaceId: { $in: distinct(activities.map(({ workspaceId }) => workspaceId)) },
          eventId: { $in: distinct(activities.map(({ eventId }) => eventId)) },
        },
        { crmType: 1, eventId: 1 },
      )
      .setOptions({ allWorkspaces: 'the worker relays the events of all workspaces' })
      .lean<Named[]>();
    const names = new Set(known.map(getActivityKey));
    const fresh = activities.filter((activity) => !names.has(getActivityKey(activity)));
    if (fresh.length === 0) return 0;
    await rerunOnWriteConflict(() =>
      this.activities.insertMany(fresh, { lean: true, ordered: false, timestamps: false }),
    );
    return fresh.length;
  }

  /** Composes the texts in the given order, without activities whose event or address was erased. */
  async composeTexts(workspaceId: string, activities: readonly CrmActivityRecord[]): Promise<ActivityDraft[]> {
    const events = await this.events.read(
      { workspaceId },
      activities.map(({ eventId }) => eventId),
    );
    const byId = new Map(events.map((event) => [event._id.toHexString(), event]));
    const names = await this.campaigns.names(
      activities.map(({ campaignId }) => campaignId).filter((campaignId) => campaignId !== null),
    );
    return activities.flatMap(({ _id, eventId, event: type, campaignId, at }) => {
      const data = byId.get(eventId.toHexString())?.data;
      const email = data?.email;
      if (!data || typeof email !== 'string' || email.endsWith(`@${ERASED_DOMAIN}`)) return [];
      const campaign = (campaignId && names.get(campaignId.toHexString())) ?? null;
      return [{ key: _id.toHexString(), email, at, ...composeActivityText(type, data, campaign) }];
    });
  }

  /** Events without a lead have no activity. */
  #toActivity(crmType: CrmType, { _id, workspaceId, type, leadId, campaignId, at }: EventRecord): NewActivity[] {
    if (leadId === null) return [];
    const now = this.clock.now();
    return [
      {
        workspaceId,
        crmType,
        eventId: _id,
        event: type as ActivityEvent,
        leadId,
        campaignId,
        at,
        state: 'pending',
        dueAt: now,
        searches: 0,
        reason: null,
        externalId: null,
        activityId: null,
        createdAt: now,
      },
    ];
  }
}

type NewActivity = Omit<CrmActivityRecord, '_id'>;

type Named = Pick<CrmActivityRecord, 'crmType' | 'eventId'>;

function getActivityKey({ crmType, eventId }: Named): string {
  return `${crmType}/${eventId.toHexString()}`;
}

function distinct(ids: readonly Types.ObjectId[]): Types.ObjectId[] {
  return [...new Map(ids.map((id) => [id.toHexString(), id])).values()];
}
