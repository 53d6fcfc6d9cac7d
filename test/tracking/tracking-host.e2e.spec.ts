import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { TrackingHostsService, TrackingUrlsService } from '@domain/tracking';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { newCampaign } from '../campaigns/campaigns';
import { auditedActions, dataOf, ISO, newMember } from '../workspaces/people';

const NONE = { url: null, verifiedAt: null, inUse: false, problem: null };
const HOUR_MS = 3_600_000;

describe('the tracking host of a workspace', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let here: string;
  let elsewhere: Server;
  let other: string;

  beforeAll(async () => {
    platform = await sharedPlatform();
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

  it('is null by default', async () => {
    expect(dataOf(await read(await platform.seed.workspace()))).toEqual(NONE);
  });

  it('is accepted if it resolves to this platform, and emails use it from then on', async () => {
    expect(dataOf(await set(`${here}/`))).toEqual({ url: here, verifiedAt: ISO, inUse: true, problem: null });
    expect(dataOf(await read())).toEqual({ url: here, verifiedAt: ISO, inUse: true, problem: null });
    expect(await previewed()).toContain(`${here}/u/`);
    expect((await auditedActions(platform, workspace))[0]).toBe('campaign.created');
    expect(await auditedActions(platform, workspace)).toContain('workspace.tracking_host_changed');
  });

  it.each([
    ['another server', () => other],
    ['no server', () => 'http://127.0.0.1:1'],
  ])('is refused if %s answers there, and the previous host stays', async (_who, url) => {
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

  it('belongs to one workspace only', async () => {
    await set(here).expect(200);
    expectFormB(await set(here, await platform.seed.workspace()), 409, 'CONFLICT');
  });

  it('can be removed, also twice', async () => {
    await set(here).expect(200);
    for (const _time of [1, 2]) await platform.api.as(workspace.key).delete(path()).expect(200);
    expect(dataOf(await read())).toEqual(NONE);
    platform.clock.advance(61_000);
    expect(await previewed()).toContain(`${platform.config.publicUrl}/u/`);
  });

  it('is changed by admins only', async () => {
    const member = await newMember(platform, workspace);
    const asked = platform.api.as(member.key).put(path()).send({ url: here });
    expectFormA(await asked, 403);
  });

  describe('that no longer resolves to this platform', () => {
    let own: SeededWorkspace;
    let host: Server;
    let url: string;
    let away = false;
    const check = () => platform.app.get(TrackingHostsService, { strict: false }).checkDue();
    const later = async (hours: number) => {
      platform.clock.advance(hours * HOUR_MS + 1_000);
      await check();
    };

    beforeAll(async () => {
      own = await platform.seed.workspace();
      // A proxy in front of the platform, like a custom host name.
      host = createServer((request, response) => {
        if (away) response.writeHead(503).end();
        else void fetch(here + request.url).then(async (answer) => response.end(await answer.text()));
      }).listen(0, '127.0.0.1');
      await new Promise((done) => host.once('listening', done));
      url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
      await set(url, own).expect(200);
    });
    afterAll(() => host.close());

    it('is checked once a day, and not used after two failures', async () => {
      const asked = jest.spyOn(platform.app.get(TrackingHostsService, { strict: false }), 'verify');
      await later(23);
      expect(asked.mock.calls.flat()).not.toContain(url);
      await later(1);
      expect(asked.mock.calls.flat()).toContain(url);
      asked.mockRestore();
      expect(dataOf(await read(own))).toEqual({ url, verifiedAt: ISO, inUse: true, problem: null });
      away = true;
      await later(24);
      expect(dataOf(await read(own))).toMatchObject({ inUse: true, problem: expect.stringContaining('503') as string });
      expect(await previewed(own)).toContain(`${url}/u/`);
      await later(0.2);
      expect(dataOf(await read(own))).toMatchObject({ url, inUse: false });
      platform.clock.advance(61_000);
      expect(await previewed(own)).toContain(`${platform.config.publicUrl}/u/`);
      expect(await platform.app.get(TrackingUrlsService, { strict: false }).hostsOf(own.workspaceId)).toContain(
        new URL(url).host,
      );
    });

    it('is used again when it resolves to this platform again', async () => {
      away = false;
      await later(1);
      expect(dataOf(await read(own))).toEqual({ url, verifiedAt: ISO, inUse: true, problem: null });
      platform.clock.advance(61_000);
      expect(await previewed(own)).toContain(`${url}/u/`);
    });

    it('is checked again when it is set again', async () => {
      away = true;
      await later(24);
      away = false;
      await set(url, own).expect(200);
      expect(dataOf(await read(own))).toMatchObject({ inUse: true, problem: null });
    });
  });

  it('is proved by a response that only this installation gives, and only to challenges', async () => {
    const [one, same, another] = await Promise.all(
      ['abc', 'abc', 'abd'].map((text) => platform.api.get(`/t/v/${text}`)),
    );
    expect(one!.text).toBe(same!.text);
    expect(one!.text).not.toBe(another!.text);
    expect((await platform.api.get(`/t/v/${'a'.repeat(65)}`)).status).toBe(404);
  });

  /** The next email of the workspace. */
  async function previewed(of = workspace): Promise<string> {
    const { _id } = await newCampaign(platform, of, {
      sequence: [{ subject: 'Hello', body: '<p>First</p>' }],
      includeUnsubscribeLink: true,
    });
    const answer = await platform.api.as(of.key).post(`/v1/campaigns/${_id}/preview`).send({});
    return dataOf<{ html: string }>(answer).html;
  }
});
