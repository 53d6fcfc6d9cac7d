import {
  DayField,
  FlagField,
  IntegerField,
  ObjectField,
  OneOfField,
  OneOfListField,
  PageQuery,
  TimeOfDayField,
  TimeZoneField,
} from '@platform/validation';
import { MAIL_DIRECTIONS, type MailDirection } from '../schemas/warmup-mail.record';
import {
  WARMUP_LANGUAGES,
  WARMUP_TEXT_SOURCES,
  type WarmupLanguage,
  type WarmupTextSource,
} from '../schemas/warmup.record';
import { listTextLanguages } from '../texts/text-library';

/** More than any provider accepts as the mail of one person. */
const MOST_A_DAY = 200;
const MOST_INCREASE = 50;
const WHOLE = 100;

export class RateRangeRequest {
  @IntegerField({ min: 0, max: WHOLE, optional: true, about: 'Per cent; at most `max`.' })
  min?: number;

  @IntegerField({ min: 0, max: WHOLE, optional: true, about: 'Per cent.' })
  max?: number;
}

/** Omitted fields stay as they are. */
export class ReplyRatesRequest {
  @ObjectField(() => RateRangeRequest, {
    optional: true,
    about: 'Rate for mail found in the inbox. Each day has its own rate.',
  })
  inbox?: RateRangeRequest;

  @ObjectField(() => RateRangeRequest, { optional: true, about: 'Rate for mail found among promotions.' })
  promotions?: RateRangeRequest;

  @IntegerField({ min: 0, max: WHOLE, optional: true, about: 'Rate for mail found in spam and moved out of it.' })
  spam?: number;
}

/** Omitted fields stay as they are. */
export class UpdateWarmupRequest {
  @IntegerField({ min: 1, max: MOST_A_DAY, optional: true, about: 'Threads on the first day; at most `targetVolume`.' })
  startingVolume?: number;

  @IntegerField({
    min: 1,
    max: MOST_INCREASE,
    optional: true,
    about: 'Additional threads on each further day with mail.',
  })
  dailyIncrease?: number;

  @IntegerField({ min: 1, max: MOST_A_DAY, optional: true, about: 'Highest number of threads a day.' })
  targetVolume?: number;

  @ObjectField(() => ReplyRatesRequest, { optional: true, about: 'Share of received mail that it answers.' })
  replyRates?: ReplyRatesRequest;

  @FlagField({ optional: true, about: 'Whether it pauses on Saturdays and Sundays. Default: false.' })
  weekdaysOnly?: boolean;

  @OneOfListField(WARMUP_LANGUAGES, {
    optional: true,
    allowed: listTextLanguages,
    about: 'It exchanges mail with mailboxes that share at least one of these. Default: en.',
  })
  languages?: WarmupLanguage[];

  @TimeZoneField({
    optional: true,
    nullable: true,
    about: 'Time zone of its days and hours. Default: null, the mailbox’s own.',
  })
  timezone?: string | null;

  @TimeOfDayField({ optional: true, about: 'Time from which it writes and answers. Default: 08:00.' })
  windowStart?: string;

  @TimeOfDayField({
    optional: true,
    about: 'Time until which it writes and answers; at least an hour later on the same day. Default: 19:00.',
  })
  windowEnd?: string;

  @IntegerField({
    min: 1,
    max: WHOLE,
    optional: true,
    about: 'Share of the mailbox’s dailySendLimit for warmup in per cent, answers included. Default: 60.',
  })
  budgetShare?: number;

  @OneOfField(WARMUP_TEXT_SOURCES, {
    optional: true,
    about: 'model: texts by the language model, where one is configured. Default: library.',
  })
  textSource?: WarmupTextSource;
}

export class WarmupActivityQuery extends PageQuery {
  @OneOfField(MAIL_DIRECTIONS, { optional: true, about: 'Only sent or only received mail.' })
  direction?: MailDirection;
}

export class WarmupAnalyticsQuery {
  @DayField({ optional: true, about: 'First day, in the warmup’s time zone. Default: 29 days before `to`.' })
  from?: string;

  @DayField({ optional: true, about: 'Last day; the range is at most 366 days. Default: today.' })
  to?: string;
}
