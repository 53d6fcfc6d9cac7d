import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type Platform, type SeededWorkspace } from '../harness';

/** Two syncs, and the results of two people in the first one. @returns its id */
export async function makeSyncs(platform: Platform, { workspaceId, key }: SeededWorkspace): Promise<string> {
  const begin = async () => {
    const url = '/v1/integrations/crm/hubspot/sync';
    const { body } = await platform.api.as(key).post(url).send({ jobType: 'push' }).expect(202);
    return (body as { data: { id: string } }).data.id;
  };
  const [id] = [await begin(), await begin()];
  const results = platform.app.get<Model<object>>(getModelToken('CrmSyncResultRecord'), { strict: false });
  const about = { workspaceId: new Types.ObjectId(workspaceId), jobId: new Types.ObjectId(id), result: 'created' };
  // Recent: old ones are deleted.
  await results.create([
    { ...about, email: 'ada@example.com', externalId: '1', createdAt: new Date() },
    { ...about, email: 'bob@example.com', externalId: '2', createdAt: new Date() },
  ]);
  return id;
}
