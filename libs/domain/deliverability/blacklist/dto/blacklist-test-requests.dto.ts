import { IdsField, IntegerField, NameField, ObjectField } from '@platform/validation';

/** Mailboxes of one test. */
const MOST_MAILBOXES = 500;
const MOST_DAYS = 30;

export class TestScheduleRequest {
  @IntegerField({ min: 1, max: MOST_DAYS, about: 'Days from one test to the next, at the same time of day (UTC).' })
  everyDays!: number;
}

export class CreateBlacklistTestRequest {
  @NameField({ optional: true, about: 'Name of the test; by default one with the day.' })
  testName?: string;

  @IdsField({ min: 1, max: MOST_MAILBOXES, of: 'mailbox', about: 'Mailboxes of the workspace, each once.' })
  mailboxIds!: string[];

  @ObjectField(() => TestScheduleRequest, { optional: true, about: 'Repeats the test until the schedule is deleted.' })
  schedule?: TestScheduleRequest;
}

/** Bodies for the documentation, as somebody would send them. */
export const BLACKLIST_EXAMPLES: { create: CreateBlacklistTestRequest } = {
  create: { testName: 'All senders', mailboxIds: ['6740a1b2c3d4e5f607182930'], schedule: { everyDays: 7 } },
};
