import { type WorkspaceScope } from '@domain/access';
import { eventually } from '@testing';
import { Types } from 'mongoose';
import { BlacklistFindingRecord } from '../schemas/blacklist-finding.record';
import { BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { BlacklistFixture } from '../testing/blacklist-fixture';
import { BlacklistTestsService } from './blacklist-tests.service';

const ZEROS = { totalChecked: 0, clean: 0, blacklisted: 0 };

describe('the figures of a test', () => {
  let fixture: BlacklistFixture;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await BlacklistFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    workspace = await fixture.fresh();
  });

  const tests = () => fixture.get(BlacklistTestsService);
  const recordOf = (testId: string) => ({ workspaceId: workspace.workspaceId, _id: new Types.ObjectId(testId) });
  const listed = async () => (await tests().list(workspace, { limit: 25 })).items[0]?.overallSummary;

  /** A test of two mailboxes whose worker stopped after the first one, which is listed. */
  async function half(): Promise<string> {
    fixture.publish({ 'bad.example.dbl.test': { A: ['127.0.0.2'] } });
    const mailboxes = [
      await fixture.mailbox(workspace, 'a@bad.example', 'google'),
      await fixture.mailbox(workspace, 'b@late.example', 'google'),
    ];
    const { _id } = await fixture.begin(workspace, ...mailboxes);
    const stop = new AbortController();
    const findings = fixture.model<BlacklistFindingRecord>(BlacklistFindingRecord);
    const found = { workspaceId: workspace.workspaceId, testId: new Types.ObjectId(_id) };
    fixture.dns.delays = async ({ name }) => {
      if (!name.startsWith('late.example')) return;
      await eventually('the other one is done', async () => (await findings.countDocuments(found)) === 1);
      stop.abort(new Error('stopping'));
    };
    await expect(fixture.run(workspace, _id, stop.signal)).rejects.toThrow('stopping');
    return _id;
  }

  it('are none while it is pending, and zeros while it runs', async () => {
    const { _id } = await fixture.begin(workspace, await fixture.mailbox(workspace, 'a@acme.example', 'google'));
    expect([(await fixture.read(workspace, _id)).overallSummary, await listed()]).toEqual([null, null]);
    const running = await fixture.read(workspace, await half());
    expect(running).toMatchObject({ status: 'running', overallSummary: ZEROS, progress: { done: 1, total: 2 } });
    expect(await listed()).toEqual(ZEROS);
  });

  it('match its findings when it is cancelled', async () => {
    const _id = await half();
    const found = { totalChecked: 1, clean: 0, blacklisted: 1 };
    expect(await tests().cancel(workspace, _id)).toMatchObject({ status: 'cancelled', overallSummary: found });
    expect(await listed()).toEqual(found);
  });

  it('are zeros when it is cancelled before its start', async () => {
    const { _id } = await fixture.begin(workspace, await fixture.mailbox(workspace, 'a@acme.example', 'google'));
    expect(await tests().cancel(workspace, _id)).toMatchObject({ status: 'cancelled', overallSummary: ZEROS });
  });

  it('match its findings when it is given up', async () => {
    const _id = await half();
    await fixture.model<BlacklistTestRecord>(BlacklistTestRecord).updateOne(recordOf(_id), { attempts: 20 });
    await fixture.run(workspace, _id);
    expect(await fixture.read(workspace, _id)).toMatchObject({
      status: 'failed',
      error: { code: 'BLACKLIST_TEST_STUCK' },
      overallSummary: { totalChecked: 1, clean: 0, blacklisted: 1 },
    });
  });
});
