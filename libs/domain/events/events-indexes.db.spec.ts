import { systemScope } from '@domain/access';
import { getModelToken } from '@nestjs/mongoose';
import { type TestDatabase, openTestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { EventQuery, EventRecord, EventsModule, EventsService } from '.';
import { happening } from './testing';

const CAMPAIGNS = 20;
const EACH = 30;

interface Plan {
  readonly executionStats: { readonly totalDocsExamined: number };
}

describe('the indexes of events', () => {
  let database: TestDatabase;
  let records: Model<EventRecord>;
  const workspace = systemScope(new Types.ObjectId().toHexString());
  const campaignIds = Array.from({ length: CAMPAIGNS }, () => new Types.ObjectId().toHexString());
  const leadId = new Types.ObjectId().toHexString();

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [EventsModule] });
    records = database.module.get(getModelToken(EventRecord.name));
    const started = database.clock.now().getTime();
    for (const [index, campaignId] of campaignIds.entries()) {
      const happened = Array.from({ length: EACH }, (_, each) =>
        happening(each === 0 ? 'email.complained' : 'email.sent', `${index}:${each}`, {
          about: { campaignId, ...(each < 2 && index === 3 ? { leadId } : {}) },
          at: new Date(started - (index * EACH + each) * 60_000),
        }),
      );
      await database.module.get(EventsService).recordAll(workspace, happened);
    }
  });
  afterAll(() => database.close());

  /** The query plan of the database for a query of the service. */
  async function planOf(ask: () => Promise<unknown>): Promise<{ text: string; examined: number }> {
    const find = jest.spyOn(records, 'find');
    await ask();
    const [filter] = find.mock.calls[0] as unknown as [Record<string, unknown>];
    find.mockRestore();
    const query = records
      .find(filter as never)
      .setOptions({ allWorkspaces: 'a test' })
      .sort({ at: -1, _id: -1 })
      .limit(26);
    const plan = (await query.explain('executionStats')) as unknown as Plan;
    return { text: JSON.stringify(plan), examined: plan.executionStats.totalDocsExamined };
  }

  const list = (query: Partial<EventQuery>) => () =>
    database.module.get(EventsService).list(workspace, Object.assign(new EventQuery(), query));

  it.each([
    // The database may choose any fitting index while it has no statistics of the collection.
    ['all', {}, CAMPAIGNS * EACH],
    ['of a type', { type: 'email.complained' }, CAMPAIGNS],
    ['of a campaign', { campaignId: campaignIds[5] }, EACH],
    ['of a lead', { leadId }, 2],
    ['of a campaign and a type', { campaignId: campaignIds[5], type: 'email.complained' }, EACH],
    ['of an hour', { from: '2000-01-01T00:00:00Z', to: '2000-01-01T01:00:00Z' }, 0],
  ] as const)('serve the list of %s', async (_name, query, atMost) => {
    const { text, examined } = await planOf(list(query));
    expect(text).not.toContain('COLLSCAN');
    expect(examined).toBeLessThanOrEqual(atMost);
  });

  it('serve the recount of a campaign', async () => {
    const of = new Types.ObjectId(campaignIds[0]);
    const aggregate = jest.spyOn(records, 'aggregate');
    await database.module.get(EventsService).countByCampaign(workspace.workspaceId, ['email.sent'], of);
    const [[{ $match }]] = aggregate.mock.calls[0] as unknown as [[{ $match: object }]];
    aggregate.mockRestore();
    const plan = (await records.find($match as never).explain('executionStats')) as unknown as Plan;
    expect(plan.executionStats.totalDocsExamined).toBeLessThanOrEqual(EACH);
    const found = await database.module.get(EventsService).countByCampaign(workspace.workspaceId, ['email.sent'], of);
    expect(found).toMatchObject([{ count: EACH - 1, firsts: 0 }]);
  });
});
