import { getModelToken } from '@nestjs/mongoose';
import { DatabaseModule } from '@platform/database';
import { openTestDatabase, type TestDatabase } from '../../../testing';
import { type Model, Types } from 'mongoose';
import { type StoredKey } from './schemas/key-record';
import { UserKeyRecord } from './schemas/user-key.record';
import { WorkspaceKeyRecord } from './schemas/workspace-key.record';

const MANY = 300;
const ids = Array.from({ length: MANY }, () => new Types.ObjectId());
const some = ids[MANY / 2]!;

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase({ imports: [DatabaseModule.collections(WorkspaceKeyRecord, UserKeyRecord)] });
});
afterAll(() => database.close());

describe.each([
  [WorkspaceKeyRecord, 'workspaceId'],
  [UserKeyRecord, 'userId'],
] as const)('%p', (record, owner) => {
  let keys: Model<StoredKey>;

  beforeAll(async () => {
    keys = database.module.get(getModelToken(record.name));
    await keys.insertMany(
      ids.map((id) => ({
        [owner]: id,
        name: 'Many',
        scopes: ['read'],
        secrets: [{ hash: id.toHexString(), last4: '0000', expiresAt: null }],
        createdBy: { kind: 'system', userId: null, keyId: null },
      })),
    );
  });

  it('is found by its secret by an index', async () => {
    const query = keys.findOne({ 'secrets.hash': some.toHexString() }).setOptions({ allWorkspaces: 'a test' });
    expect(JSON.stringify(await query.explain())).toContain('"indexName":"secrets.hash_1"');
  });

  it('is listed by an index', async () => {
    const query = keys
      .find({ [owner]: some })
      .sort({ createdAt: -1, _id: -1 })
      .limit(26);
    expect(JSON.stringify(await query.explain())).toContain(`"indexName":"${owner}_1_createdAt_-1__id_-1"`);
  });
});
