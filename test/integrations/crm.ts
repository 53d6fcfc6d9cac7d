import { type ApiClient } from '@testing';
import { HubSpotServer } from '../../libs/adapters/crm/testing';
import { type Platform, type SeededWorkspace } from '../harness';
import { dataOf } from '../workspaces/people';

export const JOBS = '/v1/integrations/crm/jobs';

export interface SyncJob {
  readonly id: string;
  readonly status: string;
  readonly processedRecords: number;
}

/** Settings with which the platform reaches a local HubSpot server. */
export function hubspotEnv({ baseUrl }: HubSpotServer): Record<string, string> {
  return { HUBSPOT_API_URL: baseUrl, OUTBOUND_ALLOW_PRIVATE: 'true' };
}

/** A workspace with a HubSpot connection. */
export class CrmUser {
  private constructor(
    readonly platform: Platform,
    readonly workspace: SeededWorkspace,
    readonly campaignId: string,
  ) {}

  static async of(platform: Platform): Promise<CrmUser> {
    const workspace = await platform.seed.workspace();
    const api = platform.api.as(workspace.key);
    await api.put('/v1/integrations/hubspot').send({ apiKey: 'canary-token' }).expect(200);
    const { _id } = dataOf<{ _id: string }>(await api.post('/v1/campaigns').send({ name: 'Autumn' }).expect(201));
    return new CrmUser(platform, workspace, _id);
  }

  get api(): ApiClient {
    return this.platform.api.as(this.workspace.key);
  }

  async sync(body: Record<string, unknown>): Promise<SyncJob> {
    return dataOf<SyncJob>(await this.api.post('/v1/integrations/crm/hubspot/sync').send(body).expect(202));
  }

  async read(id: string): Promise<SyncJob> {
    return dataOf<SyncJob>(await this.api.get(`${JOBS}/${id}`).expect(200));
  }
}
