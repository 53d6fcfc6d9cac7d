import { type CrmType } from '@adapters/crm';
import { type EventRecord } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { type ActivityEvent } from './activity-events';
import { CrmActivityRecord } from './schemas/crm-activity.record';

/** An event that a CRM is to be told of. */
export interface NewActivityInput {
  readonly crmType: CrmType;
  readonly event: EventRecord;
}

/** Makes activities: one for an event and a CRM, however often it is asked for. */
@Injectable()
export class NewActivitiesService {
  constructor(
    @InjectModel(CrmActivityRecord.name) private readonly activities: Model<CrmActivityRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** Makes those that there are none of yet. Joins the running transaction. @returns how many were made */
  async make(tales: readonly NewActivityInput[]): Promise<number> {
    const wanted = tales.flatMap(({ crmType, event }) => this.#activityOf(crmType, event));
    if (wanted.length === 0) return 0;
    const known = await this.activities
      .find(
        {
          workspaceId: { $in: distinct(wanted.map(({ workspaceId }) => workspaceId)) },
          eventId: { $in: distinct(wanted.map(({ eventId }) => eventId)) },
        },
        { crmType: 1, eventId: 1 },
      )
      .setOptions({ allWorkspaces: 'the worker hands on the events of all workspaces' })
      .lean<Named[]>();
    const names = new Set(known.map(nameOf));
    const fresh = wanted.filter((activity) => !names.has(nameOf(activity)));
    if (fresh.length === 0) return 0;
    await rerunOnWriteConflict(() =>
      this.activities.insertMany(fresh, { lean: true, ordered: false, timestamps: false }),
    );
    return fresh.length;
  }

  /** None of an event that is about nobody. */
  #activityOf(crmType: CrmType, { _id, workspaceId, type, leadId, campaignId, at }: EventRecord): NewActivity[] {
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

function nameOf({ crmType, eventId }: Named): string {
  return `${crmType}/${eventId.toHexString()}`;
}

function distinct(ids: readonly Types.ObjectId[]): Types.ObjectId[] {
  return [...new Map(ids.map((id) => [id.toHexString(), id])).values()];
}
