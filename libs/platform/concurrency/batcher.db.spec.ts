import { TransactionService } from '@platform/database';
import { openTestDatabase, type TestDatabase } from '@testing';
import { Batcher } from './batcher';

describe('a batch and transactions', () => {
  let database: TestDatabase;
  let transactions: TransactionService;

  beforeAll(async () => {
    database = await openTestDatabase({});
    transactions = database.module.get(TransactionService);
  });
  afterAll(() => database.close());

  const work = jest.fn((items: readonly string[]) => Promise.resolve(items));
  const batcher = new Batcher<string, string>(work, 100);

  it('rejects a call inside a transaction, because the batch cannot be part of it', async () => {
    await expect(transactions.run(() => batcher.run('a'))).rejects.toThrow('inside a transaction');
    expect(work).not.toHaveBeenCalled();
    expect(await batcher.run('a')).toBe('a');
  });
});
