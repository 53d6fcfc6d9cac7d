import { IdsField, IntegerField, NameField, ObjectField } from '@platform/validation';

/** Highest number of mailboxes in one test. */
const MOST_MAILBOXES = 500;
const MOST_DAYS = 30;

export class TestScheduleRequest {
  @IntegerField({ min: 1, max: MOST_DAYS, about: 'Days between two tests, at the same time of day (UTC).' })
  everyDays!: number;
}

export class CreateBlacklistTestRequest {
  @NameField({ optional: true, about: 'Name of the test. Default: a name with the day.' })
  testName?: string;

  @IdsField({ min: 1, max: MOST_MAILBOXES, of: 'mailbox', about: 'Mailboxes of the workspace, each once.' })
  mailboxIds!: string[];

  @ObjectField(() => TestScheduleRequest, { optional: true, about: 'Repeats the test until the schedule is deleted.' })
  schedule?: TestScheduleRequest;
}

/** Example requests for the documentation. */
export const BLACKLIST_EXAMPLES: { create: CreateBlacklistTestRequest } = {
  create: { testName: 'All senders', mailboxIds: ['6740a1b2c3d4e5f607182930'], schedule: { everyDays: 7 } },
};
