import { DayField, IntegerField, TextField, TimeZoneField } from '@platform/validation';

/** The requested days. */
export class PeriodQuery {
  @DayField({ optional: true, about: 'First day. Default: 29 days before `to`.' })
  from?: string;

  @DayField({ optional: true, about: 'Last day, at most 366 with `from`. Default: today.' })
  to?: string;

  @TimeZoneField({ optional: true, about: 'Zone of the days. Default: UTC.' })
  timezone?: string;
}

export class TimelineQuery extends PeriodQuery {
  @TimeZoneField({ optional: true, about: 'Zone of the days. Default: that of the campaign’s schedule.' })
  override timezone?: string;
}

/** A page of mailboxes and the requested days. */
export class MailboxFiguresQuery extends PeriodQuery {
  @IntegerField({ min: 1, max: 100, default: 25, optional: true, query: true, about: 'Records per page.' })
  limit: number = 25;

  @TextField({ max: 2000, optional: true, about: 'The `nextCursor` of the previous page.' })
  cursor?: string;
}
