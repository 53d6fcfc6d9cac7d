import { getConnectionToken } from '@nestjs/mongoose';
import { QueuesService } from '@platform/queues';
import { eventually } from '@testing';
import { type Connection, Types } from 'mongoose';
import { Blacklists, type BlacklistTest } from '../blacklist/blacklists';
import { type SeededWorkspace } from '../harness';
import { PlatformProcess } from './processes';

const MAILBOXES = 60;
/** Look-ups that are answered before the worker is ended. */
const ANSWERED = 30;

describe('a blacklist test whose worker ends', () => {
  let lists: Blacklists;
  let workspace: SeededWorkspace;
  let release: () => void;
  const workers: PlatformProcess[] = [];

  beforeAll(async () => {
    lists = await Blacklists.start({ worker: false });
    workspace = await lists.platform.seed.workspace();
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    await lists.close();
  });

  /** Names of the addresses in all queries. */
  function asked(): Set<string> {
    const isAddress = (name: string) => name.endsWith('.9.6.5.canary-key.bl.test');
    return new Set(lists.dns.queries.map(({ name }) => name).filter(isAddress));
  }

  async function started(): Promise<PlatformProcess> {
    const worker = await PlatformProcess.of('worker', lists.platform.config, { SHUTDOWN_TIMEOUT_SECONDS: '4' });
    workers.push(worker);
    await worker.start();
    return worker;
  }

  /** A test that stops in the middle, since the lists no longer answer. */
  async function stuck(): Promise<{ test: BlacklistTest; worker: PlatformProcess }> {
    const held = new Promise<void>((resolve) => (release = resolve));
    lists.dns.queries.length = 0;
    lists.dns.does = () => (asked().size > ANSWERED ? { after: held } : null);
    const worker = await started();
    const mailboxes = [];
    for (let at = 0; at < MAILBOXES; at += 1)
      mailboxes.push(await lists.mailbox(workspace, 'acme.example', `5.6.9.${at}`));
    const test = await lists.create(workspace, { mailboxIds: mailboxes.map(({ _id }) => _id) });
    await eventually('all answers are written', async () => (await done(test)) === ANSWERED + 2, 25_000);
    return { test, worker };
  }
  const done = async ({ _id }: BlacklistTest) => (await lists.read(workspace, _id)).progress.done;

  async function finished(test: BlacklistTest): Promise<void> {
    lists.dns.does = () => null;
    release();
    lists.dns.queries.length = 0;
    const worker = await started();
    expect(await lists.over(workspace, test._id)).toMatchObject({
      status: 'completed',
      overallSummary: { totalChecked: MAILBOXES, clean: MAILBOXES, blacklisted: 0 },
      progress: { done: MAILBOXES + 2, total: MAILBOXES + 2 },
    });
    await worker.end('SIGTERM');
  }

  it('continues with the remaining look-ups after a kill and an emptied Redis', async () => {
    const { test, worker } = await stuck();
    await worker.end('SIGKILL');
    const written = await addressesOf(test);
    expect(written).toHaveLength(ANSWERED);
    await lists.platform.app.get(QueuesService).obliterate();
    // Seconds later, when the lease of the killed worker has expired.
    const tests = database().collection('blacklist_tests');
    await tests.updateOne({ _id: new Types.ObjectId(test._id) }, { $set: { leaseUntil: new Date(0) } });
    await finished(test);
    expect(written.filter((address) => asked().has(nameOf(address)))).toEqual([]);
    expect(asked().size).toBe(MAILBOXES - ANSWERED);
  });

  it('is released at SIGTERM, and another worker continues it', async () => {
    const { test, worker } = await stuck();
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(await lists.read(workspace, test._id)).toMatchObject({ status: 'running', completedAt: null });
    const written = await addressesOf(test);
    await finished(test);
    expect(written.filter((address) => asked().has(nameOf(address)))).toEqual([]);
    expect(asked().size).toBe(MAILBOXES - ANSWERED);
    const { data } = (await lists.platform.api.as(workspace.key).get('/v1/events?type=blacklist.completed')).body as {
      data: { data: { testId: string } }[];
    };
    expect(data.map((event) => event.data.testId).filter((id) => id === test._id)).toHaveLength(1);
  });

  const database = () => lists.platform.app.get<Connection>(getConnectionToken());
  const nameOf = (address: string) => `${address.split('.').toReversed().join('.')}.canary-key.bl.test`;
  const addressesOf = async ({ _id }: BlacklistTest) => {
    const findings = database().collection('blacklist_findings');
    return (await findings.find({ testId: new Types.ObjectId(_id), kind: 'ipv4' }).toArray()).map(({ subject }) =>
      String(subject),
    );
  };
});
