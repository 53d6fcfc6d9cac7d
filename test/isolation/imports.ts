import { type ApiClient } from '@testing';
import { dataOf } from '../workspaces/people';

/** A file for an import. */
export const FILE = 'email\nada@example.com\n';

/** Two imports into the campaign. @returns the id of the second one */
export async function makeImports(api: ApiClient, campaignId: string): Promise<string> {
  const path = `/v1/campaigns/${campaignId}/leads/import`;
  await api.post(path).type('text/csv').send(FILE).expect(202);
  const imported = await api.post(path).type('text/csv').send(FILE).expect(202);
  return dataOf<{ _id: string }>(imported)._id;
}
