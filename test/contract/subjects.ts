import { randomBytes } from 'node:crypto';
import { CampaignCountersService } from '@domain/campaigns';
import { SecretBoxService } from '@platform/secrets';
import { Types } from 'mongoose';
import { VALID_TOKEN_PREFIX } from '../../libs/adapters/chat/testing';
import { wellKept } from '../../libs/domain/deliverability/testing';
import { chatConnection } from '../../libs/domain/chat/testing';
import { activated, newCampaign, readyCampaign, type Step } from '../campaigns/campaigns';
import { Leads } from '../leads/leads';
import { seededMailbox } from '../mailboxes/sandbox';
import { dataOf, newMember } from '../workspaces/people';
import { newWebhook } from '../webhooks/webhooks';
import { CONTRACT } from './contract';
import { type ContractFixture, type Subject } from './contract-fixture';

/** Records for every endpoint in all the states that the contract shows; new ones for each call. */
export type Subjects = Readonly<Record<string, readonly (() => Promise<Subject>)[]>>;

export interface Seeded {
  subjects: Subjects;
  /** Values that must never be in a response. */
  canaries: readonly string[];
}

const AT = new Date('2026-11-20T10:00:00.123Z');
const STORED_PASSWORD = 'canary-stored-password';
const CRM_KEY = 'canary-token';

export async function seeded(fixture: ContractFixture): Promise<Seeded> {
  const token = await slack(fixture);
  const { platform, workspace } = fixture;
  await newMember(platform, workspace, 'admin');
  await newMember(platform, workspace, 'member');
  const campaigns = await makeCampaigns(fixture);
  await makeRecipients(fixture, campaigns[0] ?? '');
  const mailboxes = await makeMailboxes(fixture);
  const webhooks = await makeWebhooks(fixture);
  const tests = await makeBlacklistTests(fixture, mailboxes);
  const jobs = await makeEnrichmentJobs(fixture);
  const syncs = await makeSyncs(fixture);
  const attachment = await makeAttachment(fixture);

  const each = (name: string, ids: readonly string[]) =>
    ids.map((id) => () => Promise.resolve({ ids: { [name]: id } }));
  const alone = [() => Promise.resolve({})];
  const subjects: Subjects = {
    'GET /v1/reports/recipients': alone,
    'GET /v1/webhooks': alone,
    'GET /v1/webhooks/{webhookId}': each('webhookId', webhooks),
    'DELETE /v1/webhooks/{id}': [async () => ({ ids: { id: (await newWebhook(platform, workspace))._id } })],
    'GET /v1/inbox/{conversationId}/attachments/{attachmentIndex}': [
      () => Promise.resolve({ ids: { conversationId: attachment, attachmentIndex: '0' } }),
    ],
    'POST /v1/campaigns/{id}/leads/action': ['pause', 'resume', 'remove'].map(
      (action) => () => Promise.resolve({ ids: { id: campaigns[0] ?? '' }, body: { action, selectAll: true } }),
    ),
    'GET /v1/blacklist-tests': alone,
    'GET /v1/blacklist-tests/{testId}': each('testId', tests),
    'GET /v1/enrichment/jobs': alone,
    'GET /v1/enrichment/jobs/{jobId}': each('jobId', jobs),
    'GET /v1/mailboxes/{mailboxId}': each('mailboxId', mailboxes),
    'GET /v1/mailboxes/{id}/health': each('id', mailboxes),
    'GET /v1/warmup/config/{mailboxId}': each('mailboxId', mailboxes),
    'GET /v1/workspaces/{workspaceId}': each('workspaceId', [workspace.workspaceId]),
    'GET /v1/workspaces/{workspaceId}/members': each('workspaceId', [workspace.workspaceId]),
    'GET /v1/campaigns/{id}': each('id', campaigns),
    'GET /v1/analytics/campaigns/{id}': each('id', campaigns),
    'POST /v1/agents': [{ name: 'Iris' }, AGENT].map((body) => () => Promise.resolve({ body })),
    'GET /v1/integrations': alone,
    'GET /v1/integrations/crm/jobs/{jobId}': each('jobId', syncs),
  };
  return { subjects, canaries: [STORED_PASSWORD, CRM_KEY, token, workspace.key, workspace.owner.key] };
}

const AGENT = {
  name: ' Otto ',
  companyInfo: { name: 'Acme', description: 'Heat pumps' },
  persona: { tone: 'friendly', role: 'Seller', communicationStyle: 'short', customInstructions: 'No jargon' },
  autonomousMode: { enabled: true },
  followupSettings: { enabled: true },
  isDefault: true,
};

/** @returns the secret of the connection */
async function slack(fixture: ContractFixture): Promise<string> {
  const { platform, workspace } = fixture;
  const token = `${VALID_TOKEN_PREFIX}${randomBytes(12).toString('hex')}`;
  const seal = (text: string, owner: string) => platform.app.get(SecretBoxService).seal(text, owner);
  const connection = chatConnection(new Types.ObjectId(workspace.workspaceId), seal, token);
  await fixture.model('ChatConnectionRecord').create(connection);
  return token;
}

/** A draft with leads of every status, a started campaign, and a completed one. */
async function makeCampaigns({ platform, workspace }: ContractFixture): Promise<string[]> {
  const { workspaceId, key } = workspace;
  const draft = await readyCampaign(platform, workspace);
  await new Leads(platform, workspace, draft._id).add('ada@leads.example', 'bob@leads.example');
  const active = await readyCampaign(platform, workspace);
  await activated(platform, workspaceId, active._id);
  const answer = await platform.api.as(key).get(`/v1/campaigns/${active._id}/sequence`).expect(200);
  const [step] = dataOf<{ sequence: Step[] }>(answer).sequence;
  await platform.app
    .get(CampaignCountersService, { strict: false })
    .count(workspaceId, active._id, active.mailboxes[0] ?? null, {
      stats: { sent: 3, delivered: 3, opened: 2, clicked: 1, bounced: 1, replied: 1 },
      steps: { [step?._id ?? '']: { sent: 3, opened: 2, clicked: 1, bounced: 1 } },
    });
  const over = await newCampaign(platform, workspace);
  await activated(platform, workspaceId, over._id);
  await new Leads(platform, workspace, over._id).complete();
  return [draft._id, active._id, over._id];
}

/** A recipient with reports, one for a campaign, and one whose schedule is inactive. */
async function makeRecipients({ platform, workspace }: ContractFixture, campaignId: string): Promise<void> {
  const weekly = { frequency: 'weekly', dayOfWeek: 1, timeOfDay: '08:00', timezone: 'Europe/Berlin' };
  for (const more of [
    { name: 'Grace Hopper', email: 'rear.admiral@one.example', company: 'Navy', role: 'Admiral', schedule: weekly },
    { name: 'Ada', email: 'ada@two.example', reportType: 'campaign', campaignIds: [campaignId] },
    { name: 'Alan', email: 'alan@three.example', schedule: { ...weekly, enabled: false } },
  ]) {
    await platform.api.as(workspace.key).post('/v1/reports/recipients').send(more).expect(201);
  }
}

/** A mailbox with warmup, checks and problems; one as connected; and one of a hosted provider. */
async function makeMailboxes(fixture: ContractFixture): Promise<string[]> {
  const { platform, workspace, dns, inboxes } = fixture;
  const { _id, email } = await seededMailbox(platform, workspace.workspaceId, STORED_PASSWORD);
  dns.zone.change(wellKept(email.slice(email.indexOf('@') + 1)));
  const api = platform.api.as(workspace.key);
  await api.post(`/v1/mailboxes/${_id}/health/check`).expect(200);
  await api.post(`/v1/warmup/${_id}/start`).expect(200);
  const lastError = { code: '421', command: 'EHLO', response: '421 later', message: 'The server is busy', at: AT };
  const state = { lastError, 'warmup.metrics': { inboxRate: 0.9, lastCalculatedAt: AT }, tags: ['sales'] };
  await fixture.put('MailboxRecord', { _id }, state);
  const other = await seededMailbox(platform, workspace.workspaceId, STORED_PASSWORD);
  const hosted = await inboxes.connect('google');
  return [_id, other._id, hosted.mailboxId];
}

/** A webhook without deliveries, and an inactive one with deliveries. */
async function makeWebhooks(fixture: ContractFixture): Promise<string[]> {
  const { platform, workspace } = fixture;
  const delivered = await newWebhook(platform, workspace, { events: CONTRACT.events.names });
  const stats = { totalDelivered: 12, totalFailed: 3, lastDeliveredAt: AT };
  await fixture.put('WebhookRecord', { _id: delivered._id }, { stats, status: 'inactive' });
  return [delivered._id, (await newWebhook(platform, workspace))._id];
}

async function makeBlacklistTests(fixture: ContractFixture, mailboxIds: readonly string[]): Promise<string[]> {
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

async function makeEnrichmentJobs(fixture: ContractFixture): Promise<string[]> {
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
async function makeSyncs(fixture: ContractFixture): Promise<string[]> {
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

/** @returns the conversation with an attachment */
async function makeAttachment({ inboxes }: ContractFixture): Promise<string> {
  const mailbox = await inboxes.connect('google');
  const files = [{ name: 'offer.pdf', content: Buffer.from('%PDF-1.7 \u0000\u0001 end') }];
  return (await inboxes.answered(mailbox, 'bob@acme.test', { files }))._id;
}
