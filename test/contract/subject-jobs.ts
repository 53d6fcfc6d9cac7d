import { dataOf } from '../workspaces/people';
import { type ContractFixture } from './contract-fixture';
import { AT, CRM_KEY } from './subject-values';

export async function makeBlacklistTests(fixture: ContractFixture, mailboxIds: readonly string[]): Promise<string[]> {
  const begin = async () => {
    const api = fixture.platform.api.as(fixture.workspace.key);
    return dataOf<{ _id: string }>(await api.post('/v1/blacklist-tests').send({ mailboxIds }).expect(201))._id;
  };
  const [completed, pending] = [await begin(), await begin()];
  const overallSummary = { totalChecked: 3, clean: 2, blacklisted: 1 };
  const state = { status: 'completed', open: false, overallSummary, startedAt: AT, completedAt: AT };
  await fixture.put('BlacklistTestRecord', { _id: completed }, state);
  return [completed, pending];
}

export async function makeEnrichmentJobs(fixture: ContractFixture): Promise<string[]> {
  const begin = async () => {
    const body = { type: 'email_verification', emails: ['ada@example.com', 'bob@example.com'] };
    const api = fixture.platform.api.as(fixture.workspace.key);
    return dataOf<{ id: string }>(await api.post('/v1/enrichment/jobs').send(body).expect(201)).id;
  };
  const [completed, processing, pending] = [await begin(), await begin(), await begin()];
  const half = { status: 'processing', processedItems: 1, successCount: 1, creditsUsed: 1, startedAt: AT };
  const whole = { ...half, status: 'completed', open: false, processedItems: 2, failedCount: 1, completedAt: AT };
  await fixture.put('EnrichmentJobRecord', { code: processing }, half);
  await fixture.put('EnrichmentJobRecord', { code: completed }, whole);
  return [completed, processing, pending];
}

/** For a connected CRM: a finished push with a person who failed, and a waiting push. */
export async function makeSyncs(fixture: ContractFixture): Promise<string[]> {
  const api = fixture.platform.api.as(fixture.workspace.key);
  await api.put('/v1/integrations/hubspot').send({ apiKey: CRM_KEY }).expect(200);
  await fixture.put('CrmConnectionRecord', { type: 'hubspot' }, { lastSyncAt: AT, totalPushed: 1 });
  const begin = async () => {
    const answer = await api.post('/v1/integrations/crm/hubspot/sync').send({ jobType: 'push' }).expect(202);
    return dataOf<{ id: string }>(answer).id;
  };
  const [completed, pending] = [await begin(), await begin()];
  const faults = [{ email: 'ada@example.com', externalId: '', code: 'INVALID', message: 'No such property' }];
  await fixture.put(
    'CrmSyncJobRecord',
    { _id: completed },
    {
      status: 'completed',
      open: false,
      totalRecords: 2,
      processedRecords: 2,
      'counts.created': 1,
      'counts.failed': 1,
      failedCount: 1,
      faults,
      startedAt: AT,
      completedAt: AT,
    },
  );
  return [completed, pending];
}
