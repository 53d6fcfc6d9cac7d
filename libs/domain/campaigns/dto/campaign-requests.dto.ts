import {
  FlagField,
  IdField,
  IntegerField,
  NameField,
  OneOfField,
  SearchPageQuery,
  TimeOfDayField,
  TimeZoneField,
  ObjectField,
  ObjectsField,
  WorkingDaysField,
} from '@platform/validation';
import {
  CAMPAIGN_STATUSES,
  type CampaignStatus,
  MAILBOX_ROTATIONS,
  type MailboxRotation,
} from '../schemas/campaign.record';
import { VERIFICATION_ACTIONS, type VerificationAction } from '../campaign-verification';
import { MailboxIdsField } from './campaign-fields.decorator';
import { MAX_STEPS, StepRequest } from './sequence-requests.dto';

const MOST_A_DAY = 1_000_000;

export class SendingScheduleRequest {
  @TimeZoneField({ optional: true, about: 'A new campaign has UTC.' })
  timezone?: string;

  @TimeOfDayField({ optional: true, about: 'A new campaign has 09:00.' })
  startTime?: string;

  @TimeOfDayField({ optional: true, about: 'Before startTime: on the next day. A new campaign has 17:00.' })
  endTime?: string;

  @WorkingDaysField({ optional: true, about: 'Days on which sending begins. A new campaign has 1 to 5.' })
  workingDays?: number[];
}

const KEEP_RULE = ['send', 'hold'] as const;

/** Whether addresses of new leads are verified, and the action for each result. */
export class LeadVerificationRequest {
  @OneOfField(['off', 'on'], { optional: true, about: 'Default: off. Concerns leads that come from now on.' })
  mode?: 'off' | 'on';

  @OneOfField(VERIFICATION_ACTIONS, { optional: true, about: 'Default: hold.' })
  invalid?: VerificationAction;

  @OneOfField(VERIFICATION_ACTIONS, { optional: true, about: 'Default: hold.' })
  risky?: VerificationAction;

  @OneOfField(VERIFICATION_ACTIONS, { optional: true, about: 'The server takes every name. Default: send.' })
  catchAll?: VerificationAction;

  @OneOfField(KEEP_RULE, { optional: true, about: 'For addresses whose verification found no result. Default: send.' })
  unknown?: (typeof KEEP_RULE)[number];

  @OneOfField(KEEP_RULE, { optional: true, about: 'While the workspace has no credits for it. Default: hold.' })
  noCredits?: (typeof KEEP_RULE)[number];
}

/** How a campaign sends. Omitted fields keep their value, or have their default in a new campaign. */
export class CampaignSettings {
  @OneOfField(MAILBOX_ROTATIONS, { optional: true, about: 'How new leads are spread over the mailboxes.' })
  mailboxRotation?: MailboxRotation;

  @ObjectField(() => SendingScheduleRequest, { optional: true, about: 'Omitted fields keep their values, too.' })
  sendingSchedule?: SendingScheduleRequest;

  @FlagField({
    optional: true,
    about: 'Whether the schedule’s hours are the lead’s own, where its zone is known. Default: false.',
  })
  useLeadTimezone?: boolean;

  @FlagField({ optional: true, about: 'Default: false, which serves delivery.' })
  trackOpens?: boolean;

  @FlagField({ optional: true, about: 'Default: false, which serves delivery.' })
  trackClicks?: boolean;

  @FlagField({ optional: true, about: 'Whether an answer ends the sequence for its lead. Default: true.' })
  stopOnReply?: boolean;

  @FlagField({ optional: true, about: 'Whether an answer ends it for everybody at the company. Default: false.' })
  stopCompanyOnReply?: boolean;

  @FlagField({ optional: true, about: 'Default: true.' })
  includeUnsubscribeLink?: boolean;

  @IntegerField({
    min: 0,
    max: 1_440,
    optional: true,
    about: 'Least minutes between two emails of a mailbox. Default: 10.',
  })
  emailIntervalMinutes?: number;

  @IntegerField({
    min: 1,
    max: MOST_A_DAY,
    optional: true,
    nullable: true,
    about: 'Emails a day. Default: null, no limit.',
  })
  dailyLimit?: number | null;

  @IntegerField({
    min: 0,
    max: MOST_A_DAY,
    optional: true,
    nullable: true,
    about: 'New leads a day. Default: null, no limit.',
  })
  newLeadsPerDay?: number | null;

  @IntegerField({
    min: 1,
    max: MOST_A_DAY,
    optional: true,
    nullable: true,
    about: 'Emails a day to one recipient domain, free-mail domains apart. Default: null, no limit.',
  })
  domainDailyLimit?: number | null;

  @FlagField({ optional: true, about: 'Whether follow-ups go before new leads. Default: true.' })
  followUpsFirst?: boolean;

  @ObjectField(() => LeadVerificationRequest, {
    optional: true,
    about:
      'Whether addresses are verified, for credits, before leads are written to. Omitted fields keep their values.',
  })
  verification?: LeadVerificationRequest;
}

export class CreateCampaignRequest extends CampaignSettings {
  @NameField()
  name!: string;

  @MailboxIdsField({ optional: true, about: 'Mailboxes of the workspace that it sends from. Default: none yet.' })
  mailboxes?: string[];

  @ObjectsField(() => StepRequest, { max: MAX_STEPS, optional: true, about: 'Default: none yet.' })
  sequence?: StepRequest[];
}

export class UpdateCampaignRequest extends CampaignSettings {
  @NameField({ optional: true })
  name?: string;

  @MailboxIdsField({ optional: true, about: 'All mailboxes that it is to send from.' })
  mailboxes?: string[];

  @ObjectsField(() => StepRequest, {
    min: 1,
    max: MAX_STEPS,
    optional: true,
    about:
      'Publishes a version. When no step names its `_id`, each takes the place of the one that stood there before, and ' +
      'what it leaves out stays.',
  })
  sequence?: StepRequest[];
}

/** Query of the list; all conditions given must hold. */
export class CampaignQuery extends SearchPageQuery {
  @OneOfField(CAMPAIGN_STATUSES, { optional: true, about: 'Only campaigns with this status.' })
  status?: CampaignStatus;

  @IdField({ optional: true, about: 'Only campaigns that send from this mailbox.' })
  mailboxId?: string;
}
