import { type ApiClient } from '@testing';
import { type Person, type Platform } from '../harness';

interface Created {
  _id: string;
  token: string;
  key: string;
  secret: string;
}

/** Creates records through the API, and collects the secrets of the responses. */
export class CreatedRecords {
  readonly secrets: string[] = [];

  async create(client: ApiClient, path: string, body: object): Promise<Created> {
    const { data } = (await client.post(path).send(body).expect(201)).body as { data: Created };
    this.secrets.push(...[data.key, data.token, data.secret].filter((secret) => typeof secret === 'string'));
    return data;
  }

  async list(client: ApiClient, path: string): Promise<{ _id: string }[]> {
    return ((await client.get(path).expect(200)).body as { data: { _id: string }[] }).data;
  }

  /** A new person who accepts an invitation to the workspace. */
  async join(platform: Platform, workspaceId: string, api: ApiClient, role: 'admin' | 'member'): Promise<Person> {
    const person = await platform.seed.person();
    const members = `/v1/workspaces/${workspaceId}/members`;
    const { token } = await this.create(api, members, { email: person.email, role });
    await platform.api.as(person.key).post('/v1/invitations/accept').send({ token }).expect(200);
    return person;
  }
}
