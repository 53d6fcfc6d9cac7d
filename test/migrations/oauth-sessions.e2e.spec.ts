import { migrations } from '@domain/migrations';
import { type Config } from '@platform/config';
import { dropDatabase, testConfig } from '@testing';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { secondRelease, store } from './stored';

const NEVER = new AbortController().signal;
const MIGRATION = migrations.find(({ name }) => name === '0007-oauth-sessions')!;
const OLD = 'mailbox_oauth_sessions';

describe('consents of mailboxes of release 0.2.0', () => {
  let config: Config;
  let connection: Connection;
  let database: mongo.Db;

  beforeAll(async () => {
    config = testConfig();
    connection = await mongoose.createConnection(config.mongodbUri).asPromise();
    database = connection.db!;
    const stored = secondRelease();
    await store(config, { [OLD]: stored[OLD]!, oauth_consents: stored['integration_consents']! });
  });
  afterAll(async () => {
    await connection.close();
    await dropDatabase(config);
  });

  const names = async () => (await database.listCollections().toArray()).map(({ name }) => name);
  const consents = () => database.collection('oauth_consents').find().sort({ _id: 1 }).toArray();

  it('join those of chats and CRMs; an open one has to be started again', async () => {
    const [open, others] = [await database.collection(OLD).findOne({ status: 'pending' }), await consents()];
    expect(open).not.toBeNull();
    const { _id: _open, provider, ...session } = open!;
    const ended = ['completed', 'failed'].map((status) => ({
      ...session,
      _id: new mongoose.mongo.ObjectId(),
      status,
      stateHash: status,
      mailboxId: new mongoose.mongo.ObjectId(),
    }));
    await database.collection(OLD).insertMany(ended.map((one) => ({ ...one, provider: provider as unknown })));
    const count = await database.collection(OLD).countDocuments();
    expect(await MIGRATION.left(database)).toBe(count + 1);

    expect(await MIGRATION.run(database, NEVER)).toBe(count + 1);
    const now = await consents();
    const isMailbox = ({ name }: mongo.BSON.Document) => name === 'google' || name === 'microsoft';
    expect(now.filter((one) => !isMailbox(one))).toEqual(others);
    const moved = ended.map((one) => ({ ...one, name: provider as unknown, site: null, verifier: null }));
    expect(now).toEqual(expect.arrayContaining(moved));
    expect(now.some(({ _id }) => open!._id.equals(_id))).toBe(false);
    expect(await names()).not.toContain(OLD);
  });

  it('are not searched for again', async () => {
    expect(await MIGRATION.left(database)).toBe(0);
    expect(await MIGRATION.run(database, NEVER)).toBe(0);
  });
});
