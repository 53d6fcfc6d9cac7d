import { type Platform } from '../harness';

export interface ApiKey {
  _id: string;
  kind: 'user' | 'workspace';
  workspaceId: string | null;
  name: string;
  scopes: string[];
  last4: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  key: string;
}

/** A key that the holder of another key creates through the API. */
export async function newKey(platform: Platform, by: string, body: object = {}): Promise<ApiKey> {
  const response = await platform.api
    .as(by)
    .post('/v1/api-keys')
    .send({ name: 'Made by a test', ...body })
    .expect(201);
  return (response.body as { data: ApiKey }).data;
}

/** Whether a key works: the status of the simplest request. */
export async function statusOf(platform: Platform, key: string): Promise<number> {
  return (await platform.api.as(key).get('/v1/workspaces?limit=1')).status;
}
