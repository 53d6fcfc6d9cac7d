import { once } from 'node:events';
import mongoose from 'mongoose';
import { dropDatabase, forgetClosedConnections, testConfig } from './test-config';

describe('forgotten connections', () => {
  afterEach(() => jest.restoreAllMocks());

  it('are the closed ones, not those with a missed heartbeat', async () => {
    const config = testConfig();
    const resting = await mongoose.createConnection(config.mongodbUri, { heartbeatFrequencyMS: 500 }).asPromise();
    const closed = await mongoose.createConnection(config.mongodbUri).asPromise();
    await closed.close();
    await once(resting.getClient(), 'serverHeartbeatSucceeded');
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 60_000);
    expect(resting.readyState).toBe(mongoose.ConnectionStates.disconnected);

    await forgetClosedConnections();
    jest.restoreAllMocks();
    expect(mongoose.connections).toContain(resting);
    expect(mongoose.connections).not.toContain(closed);
    expect(await resting.db!.collection('things').countDocuments()).toBe(0);

    await resting.close();
    await dropDatabase(config);
    expect(mongoose.connections).not.toContain(resting);
  });
});
