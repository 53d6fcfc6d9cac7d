import { type ApiClient } from '@testing';
import { type CreatedRecords } from './created-records';

/** Two blacklist tests with a schedule each. @returns the ids of the second test and of one schedule */
export async function makeBlacklistTests(
  records: CreatedRecords,
  api: ApiClient,
  mailboxId: string,
): Promise<{ testId: string; scheduleId: string }> {
  const tested = { mailboxIds: [mailboxId], schedule: { everyDays: 7 } };
  await records.create(api, '/v1/blacklist-tests', tested);
  const { _id: testId } = await records.create(api, '/v1/blacklist-tests', tested);
  const [schedule] = await records.list(api, '/v1/blacklist-schedules');
  return { testId, scheduleId: schedule!._id };
}
