import { eventually, type FaultProxy } from '@testing';
import { type Response } from 'supertest';
import { readContent, expectFormA, type Platform, type SeededWorkspace } from '../harness';
import { type Faulty, startBehind } from './behind';

type Content = Record<string, Record<string, unknown>[]>;

/** Points in a request that changes several records at which MongoDB may become unavailable. */
const POINTS = [
  ['before the first write of the transaction', 'invitations', {}],
  ['after it', 'invitations', { carriedOut: true }],
  ['between the record and its audit entry', 'audit_entries', {}],
  ['after the last write', 'audit_entries', { carriedOut: true }],
  ['before the commit', 'commitTransaction', {}],
  ['after the commit, whose answer is lost', 'commitTransaction', { carriedOut: true }],
] as const;

describe.each(['cut', 'silence'] as const)('MongoDB that becomes unavailable during a request (%s)', (fault) => {
  let behind: Faulty;
  let platform: Platform;
  let proxy: FaultProxy;
  let workspace: SeededWorkspace;
  let before: Content;

  beforeAll(async () => {
    behind = await startBehind('MONGODB_URI');
    ({ platform, proxy } = behind);
  });
  beforeEach(async () => {
    await eventually('ready', async () => (await platform.api.get('/health/ready')).status === 200);
    workspace = await platform.seed.workspace();
    await invite('first@example.com').expect(201); // opens connections and records the use of the key
    before = await readContent(behind.database);
  });
  afterEach(() => proxy.restore());
  afterAll(() => behind.close());

  const invite = (email: string, idempotencyKey?: string) =>
    platform.api
      .as(workspace.owner.key)
      .post(`/v1/workspaces/${workspace.workspaceId}/members`)
      .set(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey })
      .send({ email, role: 'member' });

  /** Number of invitations, if every record of each exists and nothing else changed. */
  async function timesDone(email: string): Promise<number> {
    const after = await readContent(behind.database);
    const added = (name: string) => (after[name]?.length ?? 0) - (before[name]?.length ?? 0);
    const own = after['workspaces']!.find(({ _id }) => _id === workspace.workspaceId);
    const old = before['workspaces']!.find(({ _id }) => _id === workspace.workspaceId);
    const ofThis = ({ workspaceId, email: to }: Record<string, unknown>) =>
      workspaceId === workspace.workspaceId && to === email;
    const done = after['invitations']!.filter(ofThis).length;
    expect({
      invitations: added('invitations'),
      audited: added('audit_entries'),
      revisions: Number(own!['revision']) - Number(old!['revision']),
    }).toEqual({ invitations: done, audited: done, revisions: done });
    expect(untouched(after)).toEqual(untouched(before));
    return done;
  }

  function untouched({ invitations, audit_entries, workspaces, idempotency_keys, ...others }: Content): unknown {
    void [invitations, audit_entries, workspaces, idempotency_keys];
    return others;
  }

  /** Allowed responses of the request, and the state that each implies. */
  async function expectWhole({ status, body }: Response, email: string): Promise<void> {
    // A commit whose answer is lost may be done although the client gets 503: Idempotency-Key exists for that.
    if (status === 201) expect(await timesDone(email)).toBe(1);
    else {
      expectFormA({ status, body }, 503, 'again');
      expect(await timesDone(email)).toBeLessThanOrEqual(1);
    }
  }

  it.each(POINTS)(
    '%s, and recovers: the request ends in 503 or success, never half done',
    async (_at, text, options) => {
      const gone = proxy.at(text, fault, options);
      const answering = invite('second@example.com').then((response) => response);
      await gone;
      await proxy.restore();
      await expectWhole(await answering, 'second@example.com');
    },
  );

  it.each(POINTS)('%s, and stays unavailable: the request ends in 503, never half done', async (_at, text, options) => {
    const gone = proxy.at(text, fault, options);
    const answering = invite('second@example.com').then((response) => response);
    await gone;
    const answer = await answering;
    expectFormA(answer, 503, 'again');
    const committed = text === 'commitTransaction' && 'carriedOut' in options;
    expect(await timesDone('second@example.com')).toBe(committed ? 1 : 0);
  });

  it.each(POINTS)(
    '%s: repeated with its Idempotency-Key until it is answered, it is done once',
    async (_at, text, options) => {
      const key = `repeated-${POINTS.findIndex(([at]) => at === _at)}`;
      const gone = proxy.at(text, fault, options);
      const first = invite('third@example.com', key).then((response) => response);
      await gone;
      await first;
      await proxy.restore();
      let last: Response | undefined;
      await eventually('the repeated request is answered', async () => {
        last = await invite('third@example.com', key);
        if (last.status === 409) platform.clock.advance(60_000); // the crashed attempt no longer counts as running
        return last.status === 201 || (last.status === 409 && /has completed/.test(JSON.stringify(last.body)));
      });
      expect(await timesDone('third@example.com')).toBe(1);
    },
  );
});
