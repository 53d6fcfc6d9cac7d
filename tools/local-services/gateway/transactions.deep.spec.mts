import { setTimeout as sleep } from 'node:timers/promises';
import { Long, UUID, type ClientSession, type Collection, type Document } from 'mongodb';
import { mongoUrl, openMongo, tally, times, type TestMongo } from './testing/mongo.mts';
import { RawClient } from './testing/raw-client.mts';

const TRANSIENT = 'TransientTransactionError';
type Counter = Document & { _id: number | string };

describe('transactions', () => {
  let mongo: TestMongo;
  let accounts: Collection<Counter>;
  beforeAll(async () => {
    mongo = await openMongo();
    accounts = mongo.db.collection<Counter>('accounts');
  });
  beforeEach(async () => {
    await accounts.deleteMany({});
    await accounts.insertMany(times(3, (_id) => ({ _id, n: 0 })));
  });
  afterAll(() => mongo.close());

  const inSession = async (work: (session: ClientSession) => Promise<void>): Promise<void> => {
    const session = mongo.client.startSession();
    try {
      await work(session);
    } finally {
      await session.endSession();
    }
  };
  const n = async (id: number): Promise<unknown> => (await accounts.findOne({ _id: id }))?.['n'];

  it('hides the writes of a transaction from others until its commit', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await accounts.updateOne({ _id: 0 }, { $set: { n: 5 } }, { session });
      await accounts.insertOne({ _id: 'new' }, { session });
      expect(await accounts.findOne({ _id: 0 }, { session })).toMatchObject({ n: 5 });
      expect(await n(0)).toBe(0);
      expect(await accounts.findOne({ _id: 'new' })).toBeNull();
      await session.commitTransaction();
      expect(await n(0)).toBe(5);
      expect(await accounts.findOne({ _id: 'new' })).not.toBeNull();
    });
  });

  it('reads one snapshot during concurrent writes', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await accounts.findOne({ _id: 0 }, { session });
      await accounts.updateOne({ _id: 1 }, { $set: { n: 9 } });
      expect(await accounts.findOne({ _id: 1 }, { session })).toMatchObject({ n: 0 });
      await session.commitTransaction();
    });
  });

  it('undoes everything on abort', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await accounts.updateOne({ _id: 0 }, { $set: { n: 5 } }, { session });
      await mongo.db.collection('made').insertOne({ a: 1 }, { session });
      await session.abortTransaction();
    });
    expect(await n(0)).toBe(0);
    expect(await mongo.db.collection('made').countDocuments()).toBe(0);
  });

  it('returns a conflict to the second writer of a document, which withTransaction retries', async () => {
    await inSession(async (first) => {
      await inSession(async (second) => {
        first.startTransaction();
        second.startTransaction();
        await accounts.updateOne({ _id: 0 }, { $inc: { n: 1 } }, { session: first });
        const conflict = accounts.updateOne({ _id: 0 }, { $inc: { n: 1 } }, { session: second });
        await expect(conflict).rejects.toMatchObject({ code: 112, errorLabelSet: new Set([TRANSIENT]) });
        await first.commitTransaction();
      });
    });
    expect(await n(0)).toBe(1);
  });

  it('loses no increment of 30 transactions that read and write the same documents', async () => {
    const add = (): Promise<unknown> =>
      mongo.client.withSession((session) =>
        session.withTransaction(async () => {
          const found = await accounts.findOne({ _id: 0 }, { session });
          await accounts.updateOne({ _id: 0 }, { $set: { n: (found?.['n'] as number) + 1 } }, { session });
          await accounts.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
        }),
      );
    expect(tally(await Promise.allSettled(times(30, add)))).toEqual({ fulfilled: 30, codes: [] });
    expect([await n(0), await n(1)]).toEqual([30, 30]);
  });

  it('resolves transactions that lock two documents in opposite order', async () => {
    const move = (from: number, to: number): Promise<unknown> =>
      mongo.client.withSession((session) =>
        session.withTransaction(async () => {
          await accounts.updateOne({ _id: from }, { $inc: { n: -1 } }, { session });
          await accounts.updateOne({ _id: to }, { $inc: { n: 1 } }, { session });
        }),
      );
    const results = await Promise.allSettled(times(20, (i) => (i % 2 ? move(0, 1) : move(1, 0))));
    expect(tally(results)).toEqual({ fulfilled: 20, codes: [] });
    expect([await n(0), await n(1)]).toEqual([0, 0]);
  });

  it('ends after an error: later statements find no transaction, and nothing is stored', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await accounts.insertOne({ _id: 'kept?' }, { session });
      await expect(accounts.insertOne({ _id: 0 }, { session })).rejects.toMatchObject({ code: 11000 });
      await expect(accounts.findOne({}, { session })).rejects.toMatchObject({
        code: 251,
        errorLabelSet: new Set([TRANSIENT]),
      });
      await session.abortTransaction();
    });
    expect(await accounts.findOne({ _id: 'kept?' })).toBeNull();
  });

  it('opens a new transaction on the session of an aborted one', async () => {
    await inSession(async (session) => {
      for (const value of [1, 2]) {
        session.startTransaction();
        await accounts.updateOne({ _id: 0 }, { $set: { n: value } }, { session });
        await (value === 1 ? session.abortTransaction() : session.commitTransaction());
      }
    });
    expect(await n(0)).toBe(2);
  });

  it('runs concurrent statements of an application in one transaction', async () => {
    await mongo.client.withSession((session) =>
      session.withTransaction(async () => {
        await accounts.findOne({ _id: 0 }, { session });
        await Promise.all(times(10, (i) => accounts.insertOne({ _id: `side${i}` }, { session })));
      }),
    );
    expect(await accounts.countDocuments({ _id: /^side/ })).toBe(10);
  });

  it('reads a cursor over several batches', async () => {
    await mongo.client.withSession((session) =>
      session.withTransaction(async () => {
        await accounts.insertMany(
          times(300, (i) => ({ _id: `c${i}` })),
          { session },
        );
        const read = await accounts.find({ _id: /^c/ }, { session, batchSize: 50 }).toArray();
        expect(read).toHaveLength(300);
      }),
    );
  });

  it('runs 150 concurrent transactions, although each holds a connection and reads outside', async () => {
    const results = await Promise.allSettled(
      times(150, (i) =>
        mongo.client.withSession((session) =>
          session.withTransaction(async () => {
            await accounts.insertOne({ _id: `many${i}` }, { session });
            await accounts.findOne({ _id: 0 });
          }),
        ),
      ),
    );
    expect(tally(results)).toEqual({ fulfilled: 150, codes: [] });
    expect(await accounts.countDocuments({ _id: /^many/ })).toBe(150);
  });

  it('makes an outside write wait for the transaction that locks its document', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await accounts.updateOne({ _id: 0 }, { $inc: { n: 1 } }, { session });
      const outside = accounts.updateOne({ _id: 0 }, { $inc: { n: 1 } });
      await sleep(100);
      await session.commitTransaction();
      await outside;
    });
    expect(await n(0)).toBe(2);
  });

  it('commits once and answers a repeated commit in the same way', async () => {
    const raw = await RawClient.connect(mongoUrl());
    const lsid = { id: new UUID() };
    const statement = { lsid, txnNumber: Long.fromNumber(1), autocommit: false };
    const $db = mongo.db.databaseName;
    await raw.send({ insert: 'accounts', documents: [{ _id: 'raw' }], ...statement, startTransaction: true, $db });
    const commit = { commitTransaction: 1, ...statement, $db: 'admin' };
    expect(await raw.send(commit)).toMatchObject({ ok: 1 });
    expect(await raw.send(commit)).toMatchObject({ ok: 1 });
    expect(await raw.send({ find: 'accounts', ...statement, $db })).toMatchObject({ ok: 0, code: 251 });
    raw.socket.destroy();
    expect(await accounts.findOne({ _id: 'raw' })).not.toBeNull();
  });

  it('rolls back when the connection is lost during the transaction, and unlocks the document', async () => {
    if (!mongo.isGateway) return; // mongod keeps the transaction until its lifetime ends.
    const raw = await RawClient.connect(mongoUrl());
    const transaction = {
      lsid: { id: new UUID() },
      txnNumber: Long.fromNumber(1),
      startTransaction: true,
      autocommit: false,
    };
    const updates = [{ q: { _id: 0 }, u: { $set: { n: 7 } } }];
    const reply = await raw.send({ update: 'accounts', updates, ...transaction, $db: mongo.db.databaseName });
    expect(reply).toMatchObject({ ok: 1, nModified: 1 });
    raw.socket.destroy();
    await accounts.updateOne({ _id: 0 }, { $inc: { n: 1 } });
    expect(await n(0)).toBe(1);
  });
});
