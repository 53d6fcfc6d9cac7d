import { TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { FaultProxy, mongoUrl } from '@testing';
import { refused } from '../../testing/scripted-server';
import { SendingFixture } from '../../testing/sending-fixture';

const LEADS = ['ann@acme.test', 'bob@acme.test'];
const COMMIT = 'commitTransaction';

let database: FaultProxy;
let engine: SendingFixture;
let mailboxes: string[];

beforeAll(async () => {
  const name = `test_unknown_${process.pid}`;
  const uri = new URL(mongoUrl());
  uri.pathname = `/${name}`;
  database = new FaultProxy(uri.toString());
  engine = await SendingFixture.open([], { MONGODB_URI: await database.start() });
});
afterAll(async () => {
  await database.restore();
  await engine.close();
  await database.cut();
});
beforeEach(async () => {
  await engine.fresh();
  mailboxes = [await engine.mailbox(), await engine.mailbox()];
});

/** The database fails at a commit and returns once the batch has logged that its outcome is unknown. */
function awayAt(nth: number, carriedOut: boolean): void {
  void database.at(COMMIT, 'cut', { nth, carriedOut });
  const log = engine.get(LogService);
  for (const level of ['debug', 'warn'] as const) {
    jest.spyOn(log, level).mockImplementation((...[message]: readonly unknown[]) => {
      if (String(message).includes('batch')) void database.restore();
    });
  }
}

/** The database fails at a commit and returns when another transaction begins. */
function awayUntilNext(nth: number, carriedOut: boolean): void {
  const transactions = engine.get(TransactionService);
  const run = transactions.run.bind(transactions);
  void database.at(COMMIT, 'cut', { nth, carriedOut }).then(() => {
    const next = jest.spyOn(transactions, 'run').mockImplementation(async (work) => {
      next.mockRestore();
      await database.restore();
      return run(work);
    });
  });
}

describe.each([
  ['during the write of its outcome', false],
  ['after its outcome was written, without an acknowledgement', true],
])('an email with a short outage of the database, %s', (_when, carriedOut) => {
  it.each([
    ['accepted', '250 OK', { state: 'sent' }, { sent: 1, bounced: 0 }],
    ['refused', '550 5.1.1 user unknown', { state: 'failed', lastReply: { code: '550' } }, { sent: 0, bounced: 1 }],
  ])('is stored as %s, as its server has replied', async (_what, answer, state, stats) => {
    const [mailboxId] = mailboxes;
    const campaignId = await engine.campaign([mailboxId!], LEADS.slice(0, 1));
    if (answer.startsWith('5')) engine.server.answers.push(refused('permanent', 'handover', answer));
    awayUntilNext(2, carriedOut);
    await engine.run(mailboxId!);
    expect(await engine.sends(LEADS[0]!)).toMatchObject([{ ...state, attempt: 1 }]);
    expect((await engine.sums(campaignId)).stats).toMatchObject(stats);
  });
});

describe.each([
  ['was carried out', true],
  ['was not carried out', false],
])('a batch whose commit %s, without an acknowledgement', (_what, carriedOut) => {
  it.each([
    ['claims', 1],
    ['outcomes', 2],
  ])('of %s is resolved by its members: each email is sent and counted once', async (_of, nth) => {
    const steps = { sequence: [{ subject: 'Hello', body: '<p>Only</p>' }] };
    const campaignId = await engine.campaign(mailboxes, LEADS, steps);
    awayAt(nth, carriedOut);
    await Promise.all(mailboxes.map((id) => engine.run(id)));
    expect(engine.recipients().toSorted()).toEqual(LEADS);
    const states = await Promise.all(LEADS.map((email) => engine.sends(email)));
    expect(states.flat()).toMatchObject(LEADS.map(() => ({ state: 'sent', attempt: 1 })));
    expect((await engine.sums(campaignId)).stats).toMatchObject({ sent: 2 });
    const used = await Promise.all(mailboxes.map(async (id) => (await engine.leaseOf(id)).dayUsed));
    expect(used[0]! + used[1]!).toBe(2);
  });
});
