import {
  FlagField,
  IdField,
  IdsField,
  InstantField,
  IntegerField,
  ObjectField,
  OneOfListField,
} from '@platform/validation';
import { ACTIVITY_EVENTS, type ActivityEvent, PUSH_EVENTS, type PushEvent } from '../../activity/activity-events';
import { MIN_EVERY_MINUTES, MAX_EVERY_MINUTES } from '../sync-interval';

const MOST_CAMPAIGNS = 200;

class PushRhythmRequest {
  @IntegerField({ min: MIN_EVERY_MINUTES, max: MAX_EVERY_MINUTES, about: 'Minutes from one sync to the next.' })
  everyMinutes!: number;
}

class PullRhythmRequest extends PushRhythmRequest {
  @IdField({ about: 'Campaign in which new people land.' })
  campaignId!: string;
}

/** All settings; omitted ones are off. */
export class SetCrmAutomationRequest {
  @OneOfListField(ACTIVITY_EVENTS, { min: 0, optional: true, about: 'Events posted to timelines.' })
  activities: ActivityEvent[] = [];

  @OneOfListField(PUSH_EVENTS, { min: 0, optional: true, about: 'After what a person is pushed, a minute later.' })
  pushOn: PushEvent[] = [];

  @IdsField({
    max: MOST_CAMPAIGNS,
    of: 'campaign',
    optional: true,
    about: 'Campaigns whose activities and changes are pushed. Default: all.',
  })
  campaignIds: string[] = [];

  @FlagField({
    optional: true,
    about: 'Whether missing people of activities are created in the CRM. Default: false.',
  })
  createPeople: boolean = false;

  @ObjectField(() => PullRhythmRequest, {
    optional: true,
    nullable: true,
    about: 'Pulls changes from the CRM on a schedule; null: does not.',
  })
  pull: PullRhythmRequest | null = null;

  @ObjectField(() => PushRhythmRequest, {
    optional: true,
    nullable: true,
    about: 'Pushes changes to the CRM; null: does not.',
  })
  push: PushRhythmRequest | null = null;
}

export class BackfillActivitiesRequest {
  @InstantField({ about: 'Events from this time on.' })
  from!: string;

  @InstantField({ optional: true, about: 'Events before this time. Default: now; later events are excluded.' })
  to?: string;
}

/** Example bodies for the API documentation. */
export const CRM_AUTOMATION_EXAMPLES: { set: SetCrmAutomationRequest; backfill: BackfillActivitiesRequest } = {
  set: {
    activities: ['email.sent', 'email.replied', 'email.bounced'],
    pushOn: ['email.positive_reply'],
    campaignIds: [],
    createPeople: true,
    pull: { everyMinutes: 60, campaignId: '6740a1b2c3d4e5f607182930' },
    push: { everyMinutes: 1_440 },
  },
  backfill: { from: '2026-11-01T00:00:00Z' },
};
