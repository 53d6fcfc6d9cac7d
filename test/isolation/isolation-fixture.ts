import { type Person, type Platform, type SeededWorkspace } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';
import { makeBlacklistTests } from './blacklist';
import { CreatedRecords } from './created-records';
import { makeWebhooks } from './webhooks';
import { makeActivities } from './activities';
import { makeConversations } from './conversations';
import { makeEnrichment } from './enrichment';
import { makeImports } from './imports';
import { makeHealth } from './health';
import { type Outside } from './outside';
import { makeReports } from './reports';
import { type Route } from './routes';
import { makeCrm } from './crm';
import { makeSlack } from './slack';
import { makeSyncs } from './syncs';
import { makeTool } from './tool';
import { makeWarmup } from './warmup';
import { makeCampaigns } from './campaigns';
import { getModel } from './content';
import { makeAgents } from './agents';

/** A workspace with records for every route, and a key of every kind. */
export interface IsolationFixture extends SeededWorkspace {
  admin: Person;
  member: Person;
  /** Keys of the owner and of the workspace, with the scope `read` only. */
  readOnly: { userKey: string; workspaceKey: string };
  revokedKey: string;
  /** The record of this fixture for a route’s parameter. */
  id(route: Route, parameter: string): string;
  /** The record of this name; for the position of this label another one, if there is one. */
  record(name: string, label: string): string;
  /** All secrets, which no response may contain. */
  secrets: string[];
}

/**
 * Creates a workspace in which every list has more than one page of one record. The platform knows Google
 * (`Outside.env`).
 * @param outside provides data that is fetched on reads
 * @param owned an existing owner
 */
export async function createIsolationFixture(
  platform: Platform,
  outside?: Outside,
  owned?: Person,
): Promise<IsolationFixture> {
  const workspace = await platform.seed.workspace({ credits: 50, ...(owned && { owner: owned }) });
  await platform.seed.workspace({ owner: workspace.owner }); // a second workspace for the list of the owner’s workspaces
  const { workspaceId, owner } = workspace;
  const api = platform.api.as(owner.key).in(workspaceId);
  const members = `/v1/workspaces/${workspaceId}/members`;
  const records = new CreatedRecords();
  const { secrets } = records;

  const join = (role: 'admin' | 'member') => records.join(platform, workspaceId, api, role);
  const [admin, member] = [await join('admin'), await join('member')];
  const suffix = workspaceId.slice(-8);
  const invitation = await records.create(api, members, { email: `first-${suffix}@example.com`, role: 'member' });
  await records.create(api, members, { email: `second-${suffix}@example.com`, role: 'member' });
  const key = await records.create(api, '/v1/api-keys', { name: 'Theirs' });
  const revoked = await records.create(api, '/v1/api-keys', { name: 'Revoked' });
  await api.delete(`/v1/api-keys/${revoked._id}`).expect(200);
  const operator = await platform.seed.person({ operator: true });
  await records.create(platform.api.as(operator.key).in(workspaceId), '/v1/credits/grant', {
    amount: 5,
    reason: 'Second',
  });
  const mailbox = await seededMailbox(platform, workspaceId);
  const warming = await makeWarmup(platform, workspace, mailbox._id);
  await makeHealth(platform, workspaceId, mailbox.email);
  const session = await records.create(api, '/v1/mailboxes/oauth/google', {});
  const suppressing = { addresses: [`ada-${suffix}@example.com`], domains: [`d${suffix}.example`] };
  await records.create(api, '/v1/suppressions', suppressing);
  const [suppression] = await records.list(api, '/v1/suppressions');
  const campaigns = await makeCampaigns(platform, workspace);
  const { campaignId = '', leadId = '', otherLeadId = '' } = campaigns;
  const counterparts = { campaignId, leadIds: [leadId, otherLeadId], mailboxId: mailbox._id };
  const talks = await makeConversations(platform, workspace, counterparts, outside);
  const { conversationId, messageId, vendor = { mailboxId: mailbox._id, address: mailbox.email } } = talks;
  const replied = await api.post(`/v1/inbox/${conversationId}/reply`).send({ text: 'Gladly' }).expect(202);
  const importId = await makeImports(api, campaignId);
  // A record that filters find.
  await getModel(platform, 'LeadRecord').updateOne({ _id: leadId, workspaceId }, { mailboxId: mailbox._id, importId });
  const webhooks = await makeWebhooks(platform, records, api, workspaceId);
  const blacklistTests = await makeBlacklistTests(records, api, mailbox._id);
  const agents = await makeAgents(platform, records, api, { workspaceId, conversationId, leadId });
  secrets.push(...(await makeTool(api)));
  const slack = await makeSlack(platform, workspaceId);
  secrets.push(slack.token);
  const crm = await makeCrm(api, outside?.crmKey() ?? 'canary-token');
  secrets.push(...crm.secrets);
  const syncId = await makeSyncs(platform, workspace);
  await makeActivities(platform, workspace);
  const jobId = await makeEnrichment(platform, workspace);
  const recipientId = await makeReports(platform, api, workspaceId);
  const readOnly = {
    userKey: await platform.seed.userKey(owner.userId, { scopes: ['read'] }),
    workspaceKey: await platform.seed.workspaceKey(workspaceId, ['read']),
  };
  secrets.push(workspace.key, owner.key, admin.key, member.key, operator.key, readOnly.userKey, readOnly.workspaceKey);

  const ids: Record<string, string> = {
    userId: member.userId,
    invitationId: invitation._id,
    '/v1/api-keys/{id}': key._id,
    mailboxId: mailbox._id,
    '/v1/warmup/{mailboxId}/pause': warming,
    '/v1/warmup/{mailboxId}/stop': warming,
    ...campaigns,
    conversationId,
    messageId,
    vendorAddress: vendor.address,
    'POST /v1/mailboxes/oauth/{provider}: body mailboxId': vendor.mailboxId,
    'POST /v1/mailboxes/service-account: body mailboxId': vendor.mailboxId,
    replyId: dataOf<{ _id: string }>(replied)._id,
    importId,
    sessionId: session._id,
    '/v1/integrations/slack/oauth-sessions/{sessionId}': slack.sessionId,
    '/v1/integrations/crm/oauth-sessions/{sessionId}': crm.sessionId,
    '/v1/integrations/crm/jobs/{jobId}': syncId,
    suppressionId: suppression!._id,
    ...webhooks,
    ...blacklistTests,
    jobId,
    ...agents,
    recipientId,
    eventId: (await records.list(api, '/v1/events'))[0]!._id,
  };
  return {
    ...workspace,
    admin,
    member,
    readOnly,
    revokedKey: revoked.key,
    secrets,
    id: (route, parameter) => {
      const upToIt = `${route.template.split(`{${parameter}}`)[0]}{${parameter}}`;
      return known(ids[route.template] ?? ids[upToIt] ?? ids[parameter], parameter, route.label);
    },
    record: (name, label) => known(ids[label] ?? ids[name], name, label),
  };
}

function known(id: string | undefined, name: string, label: string): string {
  if (id === undefined) throw new Error(`createIsolationFixture has no record for ${name} of ${label}; add one`);
  return id;
}
