import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { newCampaign } from '../campaigns/campaigns';
import { auditedActions, dataOf, ISO, newMember } from '../workspaces/people';

const NONE = { url: null, verifiedAt: null };

describe('the tracking host of a workspace', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let here: string;
  let elsewhere: Server;
  let other: string;

  beforeAll(async () => {
    platform = await startPlatform();
    workspace = await platform.seed.workspace();
    here = `http://127.0.0.1:${(platform.app.getHttpServer().address() as AddressInfo).port}`;
    elsewhere = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await new Promise((done) => elsewhere.once('listening', done));
    other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    elsewhere.close();
    await platform.close();
  });

  const path = (of = workspace) => `/v1/workspaces/${of.workspaceId}/tracking-host`;
  const set = (url: unknown, of = workspace) => platform.api.as(of.key).put(path(of)).send({ url });
  const read = (of = workspace) => platform.api.as(of.key).get(path(of));

  it('is none at first', async () => {
    expect(dataOf(await read(await platform.seed.workspace()))).toEqual(NONE);
  });

  it('is taken when it leads to this platform, and named by emails from then on', async () => {
    expect(dataOf(await set(`${here}/`))).toEqual({ url: here, verifiedAt: ISO });
    expect(dataOf(await read())).toEqual({ url: here, verifiedAt: ISO });
    expect(await previewed()).toContain(`${here}/u/`);
    expect((await auditedActions(platform, workspace))[0]).toBe('campaign.created');
    expect(await auditedActions(platform, workspace)).toContain('workspace.tracking_host_changed');
  });

  it.each([
    ['something else', () => other],
    ['nobody', () => 'http://127.0.0.1:1'],
  ])('is refused when %s answers there, and stays what it was', async (_who, url) => {
    const refused = await platform.seed.workspace();
    expectFormB(await set(url(), refused), 422, 'TRACKING_HOST_UNREACHABLE');
    expect(dataOf(await read(refused))).toEqual(NONE);
  });

  it.each(['example.com', 'ftp://example.com', 'https://example.com/path', 'https://a:b@example.com', 'https://x/?y'])(
    'is a scheme and a host, not %s',
    async (url) => {
      expectFormB(await set(url), 400, 'VALIDATION_ERROR', 'url');
    },
  );

  it('is one workspace’s only', async () => {
    await set(here).expect(200);
    expectFormB(await set(here, await platform.seed.workspace()), 409, 'CONFLICT');
  });

  it('can be taken back, also twice', async () => {
    await set(here).expect(200);
    for (const _time of [1, 2]) await platform.api.as(workspace.key).delete(path()).expect(200);
    expect(dataOf(await read())).toEqual(NONE);
    platform.clock.advance(61_000);
    expect(await previewed()).toContain(`${platform.config.publicUrl}/u/`);
  });

  it('is for admins to change', async () => {
    const member = await newMember(platform, workspace);
    const asked = platform.api.as(member.key).put(path()).send({ url: here });
    expectFormA(await asked, 403);
  });

  it('is proved by an answer that only this installation gives, and to challenges only', async () => {
    const [one, same, another] = await Promise.all(
      ['abc', 'abc', 'abd'].map((text) => platform.api.get(`/t/v/${text}`)),
    );
    expect(one!.text).toBe(same!.text);
    expect(one!.text).not.toBe(another!.text);
    expect((await platform.api.get(`/t/v/${'a'.repeat(65)}`)).status).toBe(404);
  });

  /** An email of the workspace as it would be sent now. */
  async function previewed(): Promise<string> {
    const { _id } = await newCampaign(platform, workspace, {
      sequence: [{ subject: 'Hello', body: '<p>First</p>' }],
      includeUnsubscribeLink: true,
    });
    const answer = await platform.api.as(workspace.key).post(`/v1/campaigns/${_id}/preview`).send({});
    return dataOf<{ html: string }>(answer).html;
  }
});
