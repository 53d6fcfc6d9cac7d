import { type WorkspaceScope } from '@domain/access';
import { Types } from 'mongoose';
import { BlacklistFindingRecord, type ZoneCheck } from '../schemas/blacklist-finding.record';
import { BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { BlacklistFixture } from '../testing/blacklist-fixture';
import { type NewFinding, BlacklistTestRepository } from './blacklist-test.repository';
import { BlacklistTestsService } from './blacklist-tests.service';

const LISTED = { A: ['127.0.0.2'] };
const ZONES = ['quick.test', 'slow.test'].map((zone) => ({ zone, kind: 'domain' }));
const POINTS = { 'test.quick.test': LISTED, 'test.slow.test': LISTED };

describe('examining subjects in several zones', () => {
  let fixture: BlacklistFixture;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await BlacklistFixture.open([...ZONES, { zone: 'bl.test', kind: 'ipv4' }], POINTS);
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.reset(POINTS);
    workspace = await fixture.workspace();
  });

  const findings = () => fixture.model<BlacklistFindingRecord>(BlacklistFindingRecord);
  const ofTest = (testId: string) => ({ workspaceId: workspace.workspaceId, testId: new Types.ObjectId(testId) });
  const stored = (testId: string) => {
    const where = { workspaceId: workspace.workspaceId, _id: new Types.ObjectId(testId) };
    const tests = fixture.model<BlacklistTestRecord>(BlacklistTestRecord);
    return tests.findOne(where).lean<BlacklistTestRecord>().orFail();
  };

  it('keeps a single answer when it has to stop, and does not repeat its query', async () => {
    fixture.publish({ 'acme.example.quick.test': LISTED });
    const { _id } = await fixture.begin(workspace, await fixture.mailbox(workspace, 'a@acme.example', 'google'));
    const stop = new AbortController();
    const told = Promise.withResolvers<void>();
    fixture.dns.delays = async ({ name, type }) => {
      // The reason of a listing is queried last.
      if (type === 'TXT') setImmediate(told.resolve);
      if (name !== 'acme.example.slow.test') return;
      await told.promise;
      setImmediate(() => stop.abort(new Error('stopping')));
      await new Promise(() => undefined);
    };
    await expect(fixture.run(workspace, _id, stop.signal)).rejects.toThrow('stopping');
    expect(await fixture.read(workspace, _id)).toMatchObject({
      progress: { done: 0, total: 2 },
      results: [{ verdict: 'blacklisted', counts: { listed: 1, clear: 0 } }],
    });
    // A test with progress is not given up.
    expect(await stored(_id)).toMatchObject({ attempts: 0 });
    fixture.dns.delays = undefined;
    fixture.dns.queries.length = 0;
    await fixture.run(workspace, _id);
    expect(fixture.asked()).toEqual(['acme.example.slow.test']);
    expect(await fixture.read(workspace, _id)).toMatchObject({
      status: 'completed',
      progress: { done: 2, total: 2 },
      results: [{ counts: { listed: 1, clear: 1 } }],
    });
  });

  it('counts a subject once, even if it is stored repeatedly', async () => {
    const { _id } = await fixture.begin(workspace, await fixture.mailbox(workspace, 'a@acme.example', 'google'));
    const test = await stored(_id);
    const nothing = { listing: null, codes: [], meaning: null, reason: null, weight: 1, removalUrl: null };
    const checks = ZONES.map(({ zone }): ZoneCheck => ({ zone, result: 'clear', ...nothing }));
    const found: NewFinding = { subject: 'acme.example', kind: 'domain', checks, complete: true };
    await fixture.get(BlacklistTestRepository).saveFindings(test, [found]);
    await fixture.get(BlacklistTestRepository).saveFindings(test, [found]);
    expect(await fixture.read(workspace, _id)).toMatchObject({ progress: { done: 2 } });
  });

  it('looks up at most four addresses of a host per family', async () => {
    const numbered = (prefix: string) => Array.from({ length: 9 }, (_, at) => `${prefix}${at + 1}`);
    fixture.publish({ 'big.test': { A: numbered('5.6.7.'), AAAA: numbered('2a00::') } });
    const { results } = await fixture.test(workspace, await fixture.mailbox(workspace, 'a@acme.example', 'big.test'));
    const kinds = results[0]!.subjects.map(({ kind }) => kind);
    expect(kinds).toEqual(['domain', 'ipv4', 'ipv4', 'ipv4', 'ipv4', 'ipv6', 'ipv6', 'ipv6', 'ipv6']);
  });

  it('leaves no data of a deleted test', async () => {
    const { _id } = await fixture.test(workspace, await fixture.mailbox(workspace, 'a@acme.example', 'google'));
    expect(await findings().countDocuments(ofTest(_id))).toBe(1);
    await fixture.get(BlacklistTestsService).delete(workspace, _id);
    expect(await findings().countDocuments(ofTest(_id))).toBe(0);
  });
});
