import { systemScope } from '@domain/access';
import { type Model, Types } from 'mongoose';
import { ReportRepository } from '../delivery/report.repository';
import { ReportScheduleService } from '../delivery/report-schedule.service';
import { ReportsFixture, SUNDAY } from '../testing/reports-fixture';
import { ReportRecipientsService } from './report-recipients.service';

const WORKSPACES = 3;
const EACH = 10;
const REPORTS = 20;
const OPEN = 2;

let fixture: ReportsFixture;
const mine = new Types.ObjectId();
const workspace = systemScope(mine.toHexString());
const recipientId = new Types.ObjectId();

beforeAll(async () => {
  fixture = await ReportsFixture.open();
  fixture.clock.freeze(SUNDAY);
  const schedule = { enabled: true, frequency: 'weekly', dayOfWeek: 1, timeOfDay: '08:00', timezone: 'UTC' } as const;
  const owners = [mine, ...Array.from({ length: WORKSPACES - 1 }, () => new Types.ObjectId())];
  const recipients = owners.flatMap((workspaceId, owner) =>
    Array.from({ length: EACH }, (_, at) => ({
      _id: owner === 0 && at === 0 ? recipientId : new Types.ObjectId(),
      workspaceId,
      name: `R${at}`,
      email: `r${at}@example.com`,
      reportType: 'workspace' as const,
      campaignIds: [],
      active: true,
      schedule,
      // One of each is due.
      nextScheduledAt:
        at === 0 ? new Date(SUNDAY.getTime() - 1_000) : at === 1 ? new Date(SUNDAY.getTime() + 1_000) : null,
    })),
  );
  await fixture.recipients.insertMany(recipients);
  await fixture.reports.insertMany(
    recipients.flatMap(({ _id, workspaceId, email }) =>
      Array.from({ length: REPORTS }, (_, at) => ({
        workspaceId,
        recipientId: _id,
        key: `daily ${at}`,
        trigger: 'schedule' as const,
        period: { frequency: 'daily' as const, first: '2026-11-01', last: '2026-11-01', timezone: 'UTC' },
        email,
        state: at < OPEN ? ('planned' as const) : ('sent' as const),
        expiresAt: SUNDAY,
        ...(at < OPEN && { dueAt: new Date(SUNDAY.getTime() - 1_000) }),
      })),
    ),
  );
});
afterAll(() => fixture.close());

/** Returns the plan of the only query that `work` makes on the model. */
async function explain<T>(model: Model<T>, work: () => Promise<unknown>, sort: Record<string, 1 | -1>) {
  const find = jest.spyOn(model, 'find');
  await work();
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  const query = model.find(filter as never).setOptions({ allWorkspaces: 'its plan is asked for' });
  return query.sort(sort).explain('executionStats');
}

it('lists recipients by an index, without reading those of other workspaces', async () => {
  const list = () => fixture.get(ReportRecipientsService).list(workspace, { limit: 25 });
  const plan = await explain(fixture.recipients, list, { createdAt: -1, _id: -1 });
  expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_createdAt_-1__id_-1"');
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: EACH } });
});

it('lists the reports of a recipient by an index, without reading those of others', async () => {
  const list = () =>
    fixture.get(ReportRecipientsService).listReports(workspace, recipientId.toHexString(), { limit: 25 });
  const plan = await explain(fixture.reports, list, { createdAt: -1, _id: -1 });
  expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_recipientId_1_createdAt_-1__id_-1"');
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: REPORTS } });
});

it('finds due recipients without reading others', async () => {
  const plan = await explain(
    fixture.recipients,
    () => fixture.get(ReportScheduleService).run(new AbortController().signal),
    {
      nextScheduledAt: 1,
      _id: 1,
    },
  );
  expect(JSON.stringify(plan)).toContain('"indexName":"nextScheduledAt_1__id_1"');
});

it('finds due reports without reading ended ones', async () => {
  const read = async () => {
    for await (const page of fixture.get(ReportRepository).due(SUNDAY))
      expect(page).toHaveLength(WORKSPACES * EACH * OPEN);
  };
  const plan = await explain(fixture.reports, read, { dueAt: 1, _id: 1 });
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: WORKSPACES * EACH * OPEN } });
});
