import { type AddressInfo } from 'node:net';
import { AgentTexts } from '@domain/agents';
import { getConnectionToken, getModelToken } from '@nestjs/mongoose';
import { type ApiClient } from '@testing';
import { type Connection, type Model, Types } from 'mongoose';
import { type Test } from 'supertest';
import { waitingReply, writtenText } from '../../libs/domain/agents/testing';
import { contentOf, type Person, type Platform, type SeededWorkspace } from '../harness';
import { activated, newCampaign, readyCampaign } from '../campaigns/campaigns';
import { Leads } from '../leads/leads';
import { seededMailbox } from '../mailboxes/sandbox';
import { exchanged } from '../warmup/warmups';
import { NOWHERE, storedDeliveries, subscribing } from '../webhooks/webhooks';
import { makeActivities } from './activities';
import { makeConversations } from './conversations';
import { makeEnrichment } from './enrichment';
import { makeHealth } from './health';
import { type Outside } from './outside';
import { makeReports } from './reports';
import { NO_IDS, type Route } from './routes';
import { makeCrm } from './crm';
import { makeSlack } from './slack';
import { makeSyncs } from './syncs';
import { makeTool } from './tool';
import { makeTraining } from './training';

/** A workspace with something behind every route, and a key of every kind. */
export interface World extends SeededWorkspace {
  admin: Person;
  member: Person;
  /** Of the owner and of the workspace, with the scope `read` only. */
  readOnly: { userKey: string; workspaceKey: string };
  revokedKey: string;
  /** The record that a route's parameter names here. */
  id(route: Route, parameter: string): string;
  /** Everything that must never be read anywhere. */
  secrets: string[];
}

interface Created {
  data: { _id: string; token: string; key: string; secret: string };
}

/**
 * Makes a workspace in which every list has more than one page of one. The platform knows Google (`Outside.env`).
 * @param outside has what is fetched from there when somebody reads it
 */
export async function makeWorld(platform: Platform, outside?: Outside): Promise<World> {
  const workspace = await platform.seed.workspace({ credits: 50 });
  await platform.seed.workspace({ owner: workspace.owner }); // the list of one's workspaces has two
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
  const conversationId = await makeConversations(platform, workspace, counterparts, outside);
  const replied = await api.post(`/v1/inbox/${conversationId}/reply`).send({ text: 'Gladly' }).expect(202);
  const imports = `/v1/campaigns/${campaigns['campaignId']}/leads/import`;
  await api.post(imports).type('text/csv').send(FILE).expect(202);
  const imported = await api.post(imports).type('text/csv').send(FILE).expect(202);
  const webhook = await create(api, '/v1/webhooks', subscribing({ url: NOWHERE }));
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
  const agentReplyId = await makeAgentReplies(platform, { workspaceId, agentId: agent._id, conversationId, leadId });
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
    replyId: (replied.body as Created).data._id,
    importId: (imported.body as Created).data._id,
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
    agentReplyId,
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
      const id = records[route.template] ?? records[upToIt] ?? records[parameter];
      if (id === undefined) throw new Error(`makeWorld has no record for ${parameter} of ${route.label}; add one`);
      return id;
    },
  };
}

/** What a model wrote for the agent. */
async function makeTexts(platform: Platform, workspaceId: string, agentId: string): Promise<void> {
  const texts = platform.app.get(AgentTexts, { strict: false });
  const agent = { _id: new Types.ObjectId(agentId), workspaceId: new Types.ObjectId(workspaceId) };
  for (let at = 0; at < 2; at += 1) await texts.record(writtenText(agent));
}

/** What the agent would answer. @returns the id of the first one */
async function makeAgentReplies(platform: Platform, of: Parameters<typeof waitingReply>[0]): Promise<string> {
  const replies = platform.app.get<Model<ReturnType<typeof waitingReply>>>(getModelToken('AgentReplyRecord'), {
    strict: false,
  });
  const made = await replies.create([waitingReply(of), waitingReply(of)]);
  return made[0]!._id.toHexString();
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

/** Ids of a campaign for every route: by its template where it asks for another status than that of a draft. */
async function makeCampaigns(platform: Platform, workspace: SeededWorkspace): Promise<Record<string, string>> {
  const { workspaceId, key } = workspace;
  const { _id: draft } = await readyCampaign(platform, workspace);
  const edited = { sequence: [{ subject: 'Hello', body: '<p>Edited</p>' }] };
  await platform.api.as(key).patch(`/v1/campaigns/${draft}`).send(edited).expect(200);
  await newCampaign(platform, workspace);
  const leadIds = await new Leads(platform, workspace, draft).add('ada@leads.example', 'bob@leads.example');
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
    '/v1/campaigns/{campaignId}/pause': active,
    '/v1/campaigns/{campaignId}/resume': paused,
  };
}

/** A file that an import takes. */
const FILE = 'email\nada@example.com\n';

export interface Call {
  key?: string | undefined;
  /** Named in the path or in X-Workspace-Id, wherever the route looks. */
  workspaceId?: string | undefined;
  /** Values of the path's other parameters; without one the world's own. */
  ids?: Record<string, string> | undefined;
  query?: string | undefined;
  headers?: Record<string, string> | undefined;
}

/** The route with its parameters filled in; the body is sent by whoever calls. */
export function request(platform: Platform, route: Route, world: World, call: Call): Test {
  const workspaceId = call.workspaceId ?? world.workspaceId;
  const path = route.template.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    name === 'workspaceId' ? workspaceId : (call.ids?.[name] ?? NO_IDS[name] ?? world.id(route, name)),
  );
  const headers: Record<string, string> = { ...call.headers };
  if (call.key !== undefined) headers['X-Api-Key'] = call.key;
  if (call.key !== undefined && route.bearer) headers['Authorization'] = `Bearer ${call.key}`;
  if (route.workspace === 'header' && !('X-Workspace-Id' in headers)) headers['X-Workspace-Id'] = workspaceId;
  return platform.api.with(headers)[route.method](call.query ? `${path}?${call.query}` : path);
}

/** The same with a body that validation lets through, where the route takes one. */
export function plausibleRequest(platform: Platform, route: Route, world: World, call: Call): Test {
  const test = request(platform, route, world, call);
  if (route.upload) return test.type(route.upload).send(FILE);
  if (!route.body) return test;
  const body = route.body.plausible();
  // A host of the workspace's own has to lead to the platform that is asked.
  if (route.template.endsWith('/tracking-host')) return test.send({ url: addressOf(platform) });
  // A mailbox or a conversation that a body names is one of the world that is asked, like those in paths.
  const mailboxId = world.id(route, 'mailboxId');
  const conversationId = world.id(route, 'conversationId');
  return test.send({
    ...body,
    ...('mailboxId' in body && { mailboxId }),
    ...('conversationId' in body && { conversationId }),
    ...('mailboxIds' in body && { mailboxIds: [mailboxId] }),
  });
}

function addressOf({ app }: Platform): string {
  return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
}

/** Every document of the installation. */
export function dump(platform: Platform): Promise<Record<string, unknown[]>> {
  return contentOf(platform.app.get<Connection>(getConnectionToken()).db!);
}

/** Those secrets of which the text holds the random part. */
export function leaked(text: string, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => text.includes(secret.replace(/^(sk_user_|sk_|inv_|whsec_)/, '')));
}
