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

/** Beyond what any provider lets pass as one person’s mail. */
const MOST_A_DAY = 200;
const MOST_INCREASE = 50;
const WHOLE = 100;

export class RateRangeRequest {
  @IntegerField({ min: 0, max: WHOLE, optional: true, about: 'Per cent; at most `max`.' })
  min?: number;

  @IntegerField({ min: 0, max: WHOLE, optional: true, about: 'Per cent.' })
  max?: number;
}

/** What is left out stays as it is. */
export class ReplyRatesRequest {
  @ObjectField(() => RateRangeRequest, {
    optional: true,
    about: 'Of what is found in the inbox. Each day has a rate of its own.',
  })
  inbox?: RateRangeRequest;

  @ObjectField(() => RateRangeRequest, { optional: true, about: 'Of what is found among promotions.' })
  promotions?: RateRangeRequest;

  @IntegerField({ min: 0, max: WHOLE, optional: true, about: 'Of what is found in spam, and moved out of it.' })
  spam?: number;
}

/** What is left out stays as it is. */
export class UpdateWarmupRequest {
  @IntegerField({ min: 1, max: MOST_A_DAY, optional: true, about: 'Threads on the first day; at most `targetVolume`.' })
  startingVolume?: number;

  @IntegerField({ min: 1, max: MOST_INCREASE, optional: true, about: 'So many more on each day with mail.' })
  dailyIncrease?: number;

  @IntegerField({ min: 1, max: MOST_A_DAY, optional: true, about: 'Threads a day at most.' })
  targetVolume?: number;

  @ObjectField(() => ReplyRatesRequest, { optional: true, about: 'How much of the mail that it receives it answers.' })
  replyRates?: ReplyRatesRequest;

  @FlagField({ optional: true, about: 'Whether it rests on Saturdays and Sundays. Default: false.' })
  weekdaysOnly?: boolean;

  @OneOfListField(WARMUP_LANGUAGES, {
    optional: true,
    allowed: listTextLanguages,
    about: 'It writes with mailboxes that have one in common with it. Default: en.',
  })
  languages?: WarmupLanguage[];

  @TimeZoneField({ optional: true, nullable: true, about: 'Of its days and hours. Default: null, the mailbox’s own.' })
  timezone?: string | null;

  @TimeOfDayField({ optional: true, about: 'When it begins to write and answer. Default: 08:00.' })
  windowStart?: string;

  @TimeOfDayField({ optional: true, about: 'When it ends; at least an hour later on the same day. Default: 19:00.' })
  windowEnd?: string;

  @IntegerField({
    min: 1,
    max: WHOLE,
    optional: true,
    about: 'Per cent of the mailbox’s dailySendLimit that warmup may use, answers included. Default: 60.',
  })
  budgetShare?: number;

  @OneOfField(WARMUP_TEXT_SOURCES, {
    optional: true,
    about: 'model: by the language model, where one is configured. Default: library.',
  })
  textSource?: WarmupTextSource;
}

export class WarmupActivityQuery extends PageQuery {
  @OneOfField(MAIL_DIRECTIONS, { optional: true, about: 'Only what it sent, or what it received.' })
  direction?: MailDirection;
}

export class WarmupAnalyticsQuery {
  @DayField({ optional: true, about: 'First day, in the warmup’s zone. Default: 29 days before `to`.' })
  from?: string;

  @DayField({ optional: true, about: 'Last day, at most 366 with `from`. Default: today.' })
  to?: string;
}
