import { newMember } from '../workspaces/people';
import { newWebhook } from '../webhooks/webhooks';
import { type ContractFixture, type Subject } from './contract-fixture';
import { makeChatConnection, makeWebhooks } from './subject-receivers';
import { makeCampaigns, makeRecipients } from './subject-campaigns';
import { makeMailboxes, makeAttachment } from './subject-mailboxes';
import { makeBlacklistTests, makeEnrichmentJobs, makeSyncs } from './subject-jobs';
import { STORED_PASSWORD, CRM_KEY } from './subject-values';

/** Records for every endpoint in all the states that the contract shows; new ones for each call. */
export type Subjects = Readonly<Record<string, readonly (() => Promise<Subject>)[]>>;

export interface Seeded {
  subjects: Subjects;
  /** Values that must never be in a response. */
  canaries: readonly string[];
}

export async function seeded(fixture: ContractFixture): Promise<Seeded> {
  const token = await makeChatConnection(fixture);
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
