import { type Answer } from './caller';
import { type IsolationEnvironment } from './isolation-environment';
import { type Position } from './positions';
import { type IsolationFixture } from './isolation-fixture';

/** Positions that accept no record in the request that the schema allows, with the reason. */
export const NOT_TAKEN: Readonly<Record<string, string>> = {
  'POST /v1/campaigns: body sequence[]._id': 'a new campaign has no step yet',
  'POST /v1/campaigns: body sequence[].variants[]._id': 'a new campaign has no variant yet',
};

/** Fields that must be set, or left out (undefined), so that the id in this position is read. */
export function together({ route, path }: Position, fixture: IsolationFixture): Record<string, unknown> {
  const own = (name: string): string => fixture.record(name, route.label);
  const campaignId = own('campaignId');
  const step = { stepId: own('stepId'), stepOrder: undefined };
  const variants = [{ _id: own('variantId'), subject: 'Hello', body: '<p>First</p>' }];
  const sequence = [{ _id: own('stepId'), variants }];
  // A removed field would be missing later.
  const kept = { action: 'pause' };
  const selected = { ...kept, leadIds: undefined, selectAll: true };
  const all: Record<string, Record<string, unknown>> = {
    'POST /v1/integrations/crm/{type}/sync leadFilter': { campaignId },
    'POST /v1/campaigns/{campaignId}/leads/action leadIds': kept,
    'POST /v1/campaigns/{campaignId}/leads/action filters': selected,
    'POST /v1/campaigns/{campaignId}/leads/action excludeIds': selected,
    'POST /v1/enrichment/jobs campaignId': { emails: undefined },
    'POST /v1/enrichment/jobs filters': { emails: undefined, campaignId },
    'POST /v1/campaigns/{campaignId}/preview stepId': step,
    'POST /v1/campaigns/{campaignId}/preview variantId': step,
    'POST /v1/campaigns/{campaignId}/test-email stepId': step,
    'POST /v1/campaigns/{campaignId}/test-email variantId': step,
    'POST /v1/campaigns sequence': { sequence },
    'PATCH /v1/campaigns/{campaignId} mailboxes': { sequence: undefined },
    'PATCH /v1/campaigns/{campaignId} sequence': { sequence },
    'PUT /v1/campaigns/{campaignId}/sequence sequence': { sequence },
    'POST /v1/campaigns/{campaignId}/sequence/preview sequence': { sequence },
    'POST /v1/mailboxes/service-account mailboxId': { email: own('vendorAddress') },
    'POST /v1/reports/recipients campaignIds': { reportType: 'campaign' },
    'PATCH /v1/reports/recipients/{recipientId} campaignIds': { reportType: 'campaign' },
    'GET /v1/reports/preview campaignIds': { reportType: 'campaign' },
  };
  const [first = ''] = path.split(/[.[]/);
  return all[`${route.label} ${first}`] ?? {};
}

/** A workspace may have a limited number of running jobs: each is ended before the next request. */
export async function ended(
  { mine, platform }: IsolationEnvironment,
  { label }: Position,
  { status, body }: Answer,
): Promise<void> {
  if (status !== 202 || !label.startsWith('POST /v1/integrations/crm/{type}/sync:')) return;
  const { id } = (body as { data: { id: string } }).data;
  const api = platform.api.as(mine.owner.key).in(mine.workspaceId);
  await api.post(`/v1/integrations/crm/jobs/${id}/cancel`).expect(200);
}
