import { type CrmActivity } from '@adapters/crm';
import { CampaignRepository } from '@domain/campaigns';
import { EventsService } from '@domain/events';
import { ERASED_DOMAIN } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { activityText } from './activity-phrases';
import { type CrmActivityRecord } from './schemas/crm-activity.record';

/** An activity that is still to be given its person. */
export type WordedActivity = Omit<CrmActivity, 'externalId'> & { readonly email: string };

/** Puts activities into words: of what is known of their events now, so that who was erased since is not told of. */
@Injectable()
export class ActivityTextsService {
  constructor(
    private readonly events: EventsService,
    private readonly campaigns: CampaignRepository,
  ) {}

  /** In their order, without those whose event or address is gone. */
  async of(workspaceId: string, activities: readonly CrmActivityRecord[]): Promise<WordedActivity[]> {
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
      return [{ key: _id.toHexString(), email, at, ...activityText(type, data, campaign) }];
    });
  }
}
