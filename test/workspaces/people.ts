import { type Person, type Platform, type SeededWorkspace } from '../harness';

/** A person who joins the workspace by an invitation. */
export async function newMember(
  platform: Platform,
  workspace: SeededWorkspace,
  role: 'admin' | 'member' = 'member',
): Promise<Person> {
  const person = await platform.seed.person();
  const members = `/v1/workspaces/${workspace.workspaceId}/members`;
  const invited = await platform.api
    .as(workspace.owner.key)
    .post(members)
    .send({ email: person.email, role })
    .expect(201);
  const token = (invited.body as { data: { token: string } }).data.token;
  await platform.api.as(person.key).post('/v1/invitations/accept').send({ token }).expect(200);
  return person;
}

/** `data` of a response; fails with the whole response without it. */
export function dataOf<T>(response: { status: number; body: unknown }): T {
  const body = response.body as { success?: boolean; data?: T };
  if (body.success !== true || body.data === undefined) throw new Error(`${response.status} ${JSON.stringify(body)}`);
  return body.data;
}

/** Actions in the workspace’s audit log, newest first, as its owner reads them. */
export async function auditedActions(platform: Platform, { workspaceId, owner }: SeededWorkspace): Promise<string[]> {
  const response = await platform.api.as(owner.key).in(workspaceId).get('/v1/audit?limit=100');
  return dataOf<{ action: string }[]>(response).map(({ action }) => action);
}

export const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown as string;
export const ID = expect.stringMatching(/^[0-9a-f]{24}$/) as unknown as string;
export const UNKNOWN_ID = '0123456789abcdef01234567';
export const MALFORMED_IDS = [
  'x',
  '123',
  'zzzzzzzzzzzzzzzzzzzzzzzz',
  '%00',
  '%7B%22$ne%22:null%7D',
  '0123456789abcdef012345678',
];
