import { type Person, type Platform, type SeededWorkspace } from '../harness';

/** A person who accepts an invitation to a workspace, with the given role. */
export async function joined(
  platform: Platform,
  workspace: SeededWorkspace,
  role: 'admin' | 'member',
): Promise<Person> {
  const person = await platform.seed.person();
  const { api } = platform;
  const path = `/v1/workspaces/${workspace.workspaceId}/members`;
  const invited = await api.as(workspace.owner.key).post(path).send({ email: person.email, role }).expect(201);
  const { token } = (invited.body as { data: { token: string } }).data;
  await api.as(person.key).post('/v1/invitations/accept').send({ token }).expect(200);
  return person;
}
