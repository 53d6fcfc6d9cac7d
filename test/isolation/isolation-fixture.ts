import { AgentTextsService } from '@domain/agents';
import { EVENT_TYPES } from '@domain/events';
import { getConnectionToken, getModelToken } from '@nestjs/mongoose';
import { type ApiClient } from '@testing';
import { type Connection, type Model, Types } from 'mongoose';
import { waitingReply, writtenText } from '../../libs/domain/agents/testing';
import { readContent, type Person, type Platform, type SeededWorkspace } from '../harness';
import { activated, newCampaign, readyCampaign, type Step } from '../campaigns/campaigns';
import { Leads } from '../leads/leads';
import { seededMailbox } from '../mailboxes/sandbox';
import { exchanged } from '../warmup/warmups';
import { dataOf } from '../workspaces/people';
import { NOWHERE, storedDeliveries, subscribing } from '../webhooks/webhooks';
import { makeActivities } from './activities';
import { makeConversations } from './conversations';
import { makeEnrichment } from './enrichment';
import { makeHealth } from './health';
import { type Outside } from './outside';
import { makeReports } from './reports';
import { type Route } from './routes';
import { makeCrm } from './crm';
import { makeSlack } from './slack';
import { makeSyncs } from './syncs';
import { makeTool } from './tool';
import { makeTraining } from './training';

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

interface Created {
  data: { _id: string; token: string; key: string; secret: string };
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
  const secrets: string[] = [];

  async function create(client: ApiClient, path: string, body: object): Promise<Created['data']> {
    const { data } = (await client.post(path).send(body).expect(201)).body as Created;
    secrets.push(...[data.key, data.token, data.secret].filter((secret) => typeof secret === 'string'));
    return data;
  }
  async function listed(client: ApiClient, path: string): Promise<{ _id: string }[]> {
    return ((await client.get(path).expect(200)).body as { data: { _id: string }[] }).data;
  }
  async function join(role: 'admin' | 'member'): Promise<Person> {
    const person = await platform.seed.person();
    const { token } = await create(api, members, { email: person.email, role });
    await platform.api.as(person.key).post('/v1/invitations/accept').send({ token }).expect(200);
    return person;
  }

  const [admin, member] = [await join('admin'), await join('member')];
  const suffix = workspaceId.slice(-8);
  const invitation = await create(api, members, { email: `first-${suffix}@example.com`, role: 'member' });
  await create(api, members, { email: `second-${suffix}@example.com`, role: 'member' });
  const key = await create(api, '/v1/api-keys', { name: 'Theirs' });
  const revoked = await create(api, '/v1/api-keys', { name: 'Revoked' });
  await api.delete(`/v1/api-keys/${revoked._id}`).expect(200);
  const operator = await platform.seed.person({ operator: true });
  await create(platform.api.as(operator.key).in(workspaceId), '/v1/credits/grant', { amount: 5, reason: 'Second' });
  const mailbox = await seededMailbox(platform, workspaceId);
  const warming = await makeWarmup(platform, workspace, mailbox._id);
  await makeHealth(platform, workspaceId, mailbox.email);
  const session = await create(api, '/v1/mailboxes/oauth/google', {});
  const suppressing = { addresses: [`ada-${suffix}@example.com`], domains: [`d${suffix}.example`] };
  await create(api, '/v1/suppressions', suppressing);
  const [suppression] = await listed(api, '/v1/suppressions');
  const campaigns = await makeCampaigns(platform, workspace);
  const { campaignId = '', leadId = '', otherLeadId = '' } = campaigns;
  const counterparts = { campaignId, leadIds: [leadId, otherLeadId], mailboxId: mailbox._id };
  const talks = await makeConversations(platform, workspace, counterparts, outside);
  const { conversationId, messageId, vendor = { mailboxId: mailbox._id, address: mailbox.email } } = talks;
  const replied = await api.post(`/v1/inbox/${conversationId}/reply`).send({ text: 'Gladly' }).expect(202);
  const imports = `/v1/campaigns/${campaigns['campaignId']}/leads/import`;
  await api.post(imports).type('text/csv').send(FILE).expect(202);
  const imported = await api.post(imports).type('text/csv').send(FILE).expect(202);
  const importId = dataOf<{ _id: string }>(imported)._id;
  // A record that filters find.
  await getModel(platform, 'LeadRecord').updateOne({ _id: leadId, workspaceId }, { mailboxId: mailbox._id, importId });
  const webhook = await create(api, '/v1/webhooks', subscribing({ url: NOWHERE, events: EVENT_TYPES }));
  await create(api, '/v1/webhooks', subscribing({ url: NOWHERE }));
  const [deliveryId = ''] = await storedDeliveries(platform, { _id: webhook._id, workspaceId }, 2);
  const tested = { mailboxIds: [mailbox._id], schedule: { everyDays: 7 } };
  await create(api, '/v1/blacklist-tests', tested);
  const blacklistTest = await create(api, '/v1/blacklist-tests', tested);
  const [blacklistSchedule] = await listed(api, '/v1/blacklist-schedules');
  const agent = await create(api, '/v1/agents', { name: 'Iris' });
  await create(api, '/v1/agents', { name: 'Otto' });
  await makeTexts(platform, workspaceId, agent._id);
  await makeTraining(platform, workspaceId, agent._id);
  const agentReplies = await makeAgentReplies(platform, { workspaceId, agentId: agent._id, conversationId, leadId });
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

  const records: Record<string, string> = {
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
    replyId: (replied.body as Created).data._id,
    importId,
    sessionId: session._id,
    '/v1/integrations/slack/oauth-sessions/{sessionId}': slack.sessionId,
    '/v1/integrations/crm/oauth-sessions/{sessionId}': crm.sessionId,
    '/v1/integrations/crm/jobs/{jobId}': syncId,
    suppressionId: suppression!._id,
    webhookId: webhook._id,
    deliveryId,
    testId: blacklistTest._id,
    scheduleId: blacklistSchedule!._id,
    jobId,
    agentId: agent._id,
    ...agentReplies,
    recipientId,
    eventId: (await listed(api, '/v1/events'))[0]!._id,
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
      return known(records[route.template] ?? records[upToIt] ?? records[parameter], parameter, route.label);
    },
    record: (name, label) => known(records[label] ?? records[name], name, label),
  };
}

function known(id: string | undefined, name: string, label: string): string {
  if (id === undefined) throw new Error(`createIsolationFixture has no record for ${name} of ${label}; add one`);
  return id;
}

function getModel({ app }: Platform, name: string): Model<object> {
  return app.get<Model<object>>(getModelToken(name), { strict: false });
}

/** A text that a model wrote for the agent. */
async function makeTexts(platform: Platform, workspaceId: string, agentId: string): Promise<void> {
  const texts = platform.app.get(AgentTextsService, { strict: false });
  const agent = { _id: new Types.ObjectId(agentId), workspaceId: new Types.ObjectId(workspaceId) };
  for (let at = 0; at < 2; at += 1) await texts.record(writtenText(agent));
}

/** Agent replies that await approval: one for each decision. @returns their ids by route */
async function makeAgentReplies(
  platform: Platform,
  of: Parameters<typeof waitingReply>[0],
): Promise<Record<string, string>> {
  const [any, approved, rejected] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
  const replies = [any, approved, rejected].map((_id) => ({ _id, ...waitingReply(of) }));
  await getModel(platform, 'AgentReplyRecord').create(replies);
  return {
    agentReplyId: any.toHexString(),
    '/v1/agents/replies/{agentReplyId}/approve': approved.toHexString(),
    '/v1/agents/replies/{agentReplyId}/reject': rejected.toHexString(),
  };
}

/** Another mailbox, which warms up and has written to this one. @returns its id */
async function makeWarmup(
  platform: Platform,
  { workspaceId, key }: SeededWorkspace,
  mailboxId: string,
): Promise<string> {
  const { _id } = await seededMailbox(platform, workspaceId);
  await platform.api.as(key).post(`/v1/warmup/${_id}/start`).expect(200);
  const [warming, mailbox] = [_id, mailboxId].map((id) => ({ workspaceId, mailboxId: id }));
  for (const at of [1, 2]) await exchanged(platform, warming!, mailbox!, { at: new Date(at) });
  return _id;
}

/** Ids of a campaign for every route, by path template if it requires another status than draft. */
async function makeCampaigns(platform: Platform, workspace: SeededWorkspace): Promise<Record<string, string>> {
  const { workspaceId, key } = workspace;
  const { _id: draft } = await readyCampaign(platform, workspace);
  const edited = { sequence: [{ subject: 'Hello', body: '<p>Edited</p>' }] };
  await platform.api.as(key).patch(`/v1/campaigns/${draft}`).send(edited).expect(200);
  const published = await platform.api.as(key).get(`/v1/campaigns/${draft}/sequence`).expect(200);
  const [step] = dataOf<{ sequence: Step[] }>(published).sequence;
  await newCampaign(platform, workspace);
  const leadIds = await new Leads(platform, workspace, draft).add('ada@leads.example', 'bob@leads.example');
  const { _id: startable } = await readyCampaign(platform, workspace, edited);
  await new Leads(platform, workspace, startable).add('eve@leads.example');
  const [{ _id: active }, { _id: paused }] = [
    await readyCampaign(platform, workspace),
    await readyCampaign(platform, workspace),
  ];
  await activated(platform, workspaceId, active);
  await activated(platform, workspaceId, paused);
  await platform.api.as(key).post(`/v1/campaigns/${paused}/pause`).expect(200);
  return {
    campaignId: draft,
    leadId: leadIds[0]!,
    otherLeadId: leadIds[1]!,
    stepId: step!._id,
    variantId: step!.variants[0]!._id,
    '/v1/campaigns/{campaignId}/start': startable,
    '/v1/campaigns/{campaignId}/pause': active,
    '/v1/campaigns/{campaignId}/resume': paused,
  };
}

/** A file for an import. */
export const FILE = 'email\nada@example.com\n';

/** Every document of the installation. */
export function dump(platform: Platform): Promise<Record<string, unknown[]>> {
  return readContent(platform.app.get<Connection>(getConnectionToken()).db!);
}

/** The secrets whose random part occurs in the text. */
export function leaked(text: string, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => text.includes(secret.replace(/^(sk_user_|sk_|inv_|whsec_)/, '')));
}
