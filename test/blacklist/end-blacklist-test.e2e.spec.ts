import { type SeededWorkspace, expectFormA, expectFormB } from '../harness';
import { auditedActions, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { Blacklists, type BlacklistTest } from './blacklists';

/** Figures of a test to which no zone has answered. */
const NOTHING = { totalChecked: 0, clean: 0, blacklisted: 0 };

describe('the end of blacklist tests', () => {
  let lists: Blacklists;
  let workspace: SeededWorkspace;
  let mailbox: { _id: string };

  beforeAll(async () => {
    lists = await Blacklists.start();
    workspace = await lists.platform.seed.workspace();
    mailbox = await lists.mailbox(workspace, 'acme.example');
  });
  afterAll(() => lists.close());

  const cancel = (id: string) => lists.platform.api.as(workspace.key).post(`/v1/blacklist-tests/${id}/cancel`);
  const remove = (id: string) => lists.platform.api.as(workspace.key).delete(`/v1/blacklist-tests/${id}`);

  /** A test whose DNS queries are answered when the spec says so. */
  async function held(): Promise<{ test: BlacklistTest; letGo: () => void }> {
    const { promise, resolve } = Promise.withResolvers<void>();
    lists.platform.clock.advance(7 * 3_600_000);
    lists.dns.does = () => ({ after: promise });
    const test = await lists.create(workspace, { mailboxIds: [mailbox._id] });
    const letGo = () => {
      lists.dns.does = () => null;
      resolve();
    };
    return { test, letGo };
  }

  it('cancels a test, which does not continue; cancelling again changes nothing', async () => {
    const { test, letGo } = await held();
    const cancelled = (await cancel(test._id).expect(200)).body as { data: BlacklistTest };
    expect(cancelled.data).toMatchObject({ status: 'cancelled', overallSummary: NOTHING, error: null });
    expect(cancelled.data.completedAt).not.toBeNull();
    expect(((await cancel(test._id).expect(200)).body as { data: BlacklistTest }).data).toMatchObject({
      status: 'cancelled',
      completedAt: cancelled.data.completedAt,
    });
    letGo();
    await lists.platform.drain();
    expect(await lists.read(workspace, test._id)).toMatchObject({ status: 'cancelled', overallSummary: NOTHING });
    expect((await auditedActions(lists.platform, workspace)).slice(0, 2)).toEqual([
      'blacklist_test.cancelled',
      'blacklist_test.created',
    ]);
  });

  it('answers 409 to the cancellation of a completed test', async () => {
    const test = await lists.test(workspace, mailbox);
    expectFormB(await cancel(test._id), 409, 'CONFLICT');
  });

  it('deletes a finished test and a running one', async () => {
    const test = await lists.test(workspace, mailbox);
    expect((await remove(test._id).expect(200)).body).toEqual({
      success: true,
      data: { message: 'Blacklist test deleted' },
    });
    expectFormA(await remove(test._id), 404, /^Blacklist test not found$/);
    const { test: running, letGo } = await held();
    await remove(running._id).expect(200);
    letGo();
    await lists.platform.drain();
    expectFormA(await lists.platform.api.as(workspace.key).get(`/v1/blacklist-tests/${running._id}`), 404);
    expect((await auditedActions(lists.platform, workspace))[0]).toBe('blacklist_test.deleted');
  });

  it('answers 404 Form A to an unknown id, a malformed id and another workspace’s test', async () => {
    const other = await lists.platform.seed.workspace();
    const { _id } = await lists.test(other, await lists.mailbox(other, 'acme.example'));
    for (const id of [UNKNOWN_ID, _id, ...MALFORMED_IDS]) {
      expectFormA(await cancel(id), 404, /^Blacklist test not found$/);
      expectFormA(await remove(id), 404, /^Blacklist test not found$/);
    }
    expect(await lists.read(other, _id)).toMatchObject({ status: 'completed' });
  });
});
