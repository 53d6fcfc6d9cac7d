import { createHash } from 'node:crypto';
import { getModelToken } from '@nestjs/mongoose';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model } from 'mongoose';
import { IdempotencyModule } from './idempotency.module';
import { IdempotencyRecord } from './idempotency.record';
import { IdempotencyService } from './idempotency.service';

describe('the stored hash of a request with an Idempotency-Key', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [IdempotencyModule] });
  });
  afterAll(() => database.close());

  it('prevents guessing passwords in the body with read access to the database', async () => {
    const body = { email: 'ada@mail.test', smtpPassword: 'hunter2' };
    const keys = database.module.get(IdempotencyService);
    await keys.begin(['key-1', 'POST', '/v1/mailboxes', 'first'], body);
    await keys.begin(['key-1', 'POST', '/v1/mailboxes', 'second'], body);
    const records = database.module.get<Model<IdempotencyRecord>>(getModelToken(IdempotencyRecord.name), {
      strict: false,
    });
    const hashes = (await records.find().lean()).map(({ bodyHash }) => bodyHash);
    expect(new Set(hashes).size).toBe(2);
    expect(hashes).not.toContain(createHash('sha256').update(JSON.stringify(body)).digest('hex'));
  });
});
