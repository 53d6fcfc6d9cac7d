import { getConnectionToken } from '@nestjs/mongoose';
import { eventually } from '@testing';
import { type Connection } from 'mongoose';
import { SlackServer } from '../../libs/adapters/chat/testing';
import { readContent, expectFormB, type Platform, startPlatform } from '../harness';
import { SlackUser } from './slack';

describe('the Slack integration', () => {
  let platform: Platform;
  let server: SlackServer;
  /** A workspace that never gets a Slack connection. */
  let bare: SlackUser;
  beforeAll(async () => {
    server = await SlackServer.start();
    platform = await startPlatform({ env: server.env, worker: true });
    bare = await user();
  });
  afterAll(async () => {
    await platform.close();
    await server.close();
  });
  afterEach(() => {
    server.outage(null);
    server.postsBeforeLimit = Number.POSITIVE_INFINITY;
    for (const channel of server.channels) channel.is_archived = false;
  });

  const user = async () => new SlackUser(platform, server, await platform.seed.workspace());
  const posted = async (of: SlackUser, count: number) =>
    eventually(`${count} messages are posted`, async () => {
      await of.settle();
      return (await of.posts('?state=posted')).length === count;
    });

  it('is connected by an incoming webhook, which is tested first and never shown again', async () => {
    const mine = await user();
    const webhookUrl = server.webhook();
    const before = server.posts.length;
    const set = await mine.set({ webhookUrl, teamName: 'Acme', mode: 'digest', everyMinutes: 30 });
    expect(set).toEqual({
      authMethod: 'webhook',
      status: 'connected',
      enabled: true,
      teamName: 'Acme',
      channel: null,
      events: expect.arrayContaining(['email.positive_reply', 'mailbox.disconnected', 'campaign.completed']) as unknown,
      campaignIds: [],
      mode: 'digest',
      everyMinutes: 30,
      timeOfDay: null,
      timezone: 'UTC',
      lastError: null,
      lastPostedAt: null,
      createdAt: expect.stringMatching(/Z$/) as unknown,
      updatedAt: expect.stringMatching(/Z$/) as unknown,
    });
    expect(server.posts).toHaveLength(before);
    const content = JSON.stringify(await readContent(platform.app.get<Connection>(getConnectionToken()).db!));
    const path = new URL(webhookUrl).pathname;
    expect(content).not.toContain(path);
    expect(platform.logged()).not.toContain(path);
    expect(JSON.stringify(await mine.read())).not.toContain(path);
  });

  it('refuses invalid settings', async () => {
    const cases: readonly (readonly [string, Record<string, unknown> & { webhookUrl?: string }, string])[] = [
      ['nothing', {}, 'webhookUrl'],
      [
        'an address of another host',
        { webhookUrl: 'https://hooks.slack.com.evil.example/services/T/B/x' },
        'webhookUrl',
      ],
      ['a webhook that rejects messages', { webhookUrl: 'REVOKED' }, 'webhookUrl'],
      ['an unknown campaign', { webhookUrl: 'GOOD', campaignIds: ['6740a1b2c3d4e5f607182930'] }, 'campaignIds'],
      ['a channel with a webhook', { webhookUrl: 'GOOD', channelId: 'C0SALES' }, 'channelId'],
      ['an event that is never posted', { webhookUrl: 'GOOD', events: ['email.sent'] }, 'events'],
      ['a digest every minute', { webhookUrl: 'GOOD', mode: 'digest', everyMinutes: 1 }, 'everyMinutes'],
    ];
    for (const [, body, field] of cases) {
      const { webhookUrl: named } = body;
      const urls: Record<string, string> = { GOOD: server.webhook(), REVOKED: `${server.url}/services/T0/B0/gone` };
      const given = named === undefined ? body : { ...body, webhookUrl: urls[named] ?? named };
      expectFormB(await bare.api.put('/v1/integrations/slack').send(given), 400, 'VALIDATION_ERROR', field);
      await bare.api.get('/v1/integrations/slack').expect(404);
    }
  });

  it('is connected by consent from the API to Slack and back, and posts events to a chosen channel', async () => {
    const mine = await user();
    const { started, response, session } = await mine.consent();
    expect(new URL(started.authUrl).searchParams.get('scope')).toBe(
      'chat:write,chat:write.public,channels:read,groups:read',
    );
    expect(response.status).toBe(200);
    expect(response.text).toContain('Slack is connected');
    expect(session).toMatchObject({ status: 'completed', error: null });
    expect(await mine.read()).toMatchObject({
      authMethod: 'consent',
      status: 'connected',
      teamName: 'Acme',
      channel: null,
    });
    await mine.api.post('/v1/integrations/slack/test').expect(409);

    const { body } = await mine.api.get('/v1/integrations/slack/channels').expect(200);
    const { channels, nextCursor } = (body as { data: { channels: { id: string }[]; nextCursor: string } }).data;
    expect(channels.map(({ id }) => id)).toEqual(['C0SALES', 'C0OPS']);
    const next = await mine.api.get(`/v1/integrations/slack/channels?cursor=${encodeURIComponent(nextCursor)}`);
    expect(next.body).toMatchObject({ data: { channels: [{ id: 'G0BOARD' }], nextCursor: null } });
    const guessed = await mine.api.get('/v1/integrations/slack/channels?cursor=guessed');
    expectFormB(guessed, 400, 'VALIDATION_ERROR', 'cursor');
    await mine.api.put('/v1/integrations/slack').send({ channelId: 'C0NOBODY' }).expect(400);

    const set = await mine.set({ channelId: 'C0SALES', events: ['email.replied'] });
    expect(set.channel).toEqual({ id: 'C0SALES', name: 'sales' });
    await mine.api.post('/v1/integrations/slack/test').expect(200);
    await mine.happens('email.replied', { email: 'ada@example.com', text: 'Gladly <!channel> & soon' });
    await mine.happens('mailbox.disconnected');
    await posted(mine, 1);
    expect(server.posts.at(-1)).toMatchObject({
      to: 'C0SALES',
      text: expect.stringContaining('Reply: ada@example.com'),
    });
    expect(JSON.stringify(server.posts.at(-1)?.blocks)).toContain('>Gladly &lt;!channel&gt; &amp; soon');
    expect((await mine.posts()).map(({ event, state }) => [event, state])).toEqual([['email.replied', 'posted']]);
    expect((await mine.read()).lastPostedAt).toMatch(/Z$/);
  });

  it('shows the last response of Slack in its state', async () => {
    const mine = await user();
    await mine.consent();
    await mine.set({ channelId: 'C0OPS', events: ['email.replied'] });
    server.channels.find(({ id }) => id === 'C0OPS')!.is_archived = true;
    await mine.happens('email.replied');
    await eventually('the connection is disconnected', async () => {
      await mine.settle();
      return (await mine.read()).status === 'disconnected';
    });
    expect(await mine.read()).toMatchObject({ lastError: { code: 'is_archived' } });
    expect((await mine.posts()).map(({ state }) => state)).toEqual(['waiting']);
    const refused = await mine.api.post('/v1/integrations/slack/test').expect(422);
    expect((refused.body as { error: { code: string } }).error.code).toBe('CHAT_NOT_USABLE');

    server.channels.find(({ id }) => id === 'C0OPS')!.is_archived = false;
    await mine.api.post('/v1/integrations/slack/test').expect(200);
    expect(await mine.read()).toMatchObject({ status: 'connected', lastError: null });
    await posted(mine, 1);
  });

  it('answers with an error while Slack is unavailable, and stores nothing', async () => {
    server.outage({ status: 503, word: 'service_unavailable' });
    await bare.api.put('/v1/integrations/slack').send({ webhookUrl: server.webhook() }).expect(502);
    await bare.api.get('/v1/integrations/slack').expect(404);
  });

  it('revokes its token and deletes its data on removal', async () => {
    const mine = await user();
    await mine.consent({ team: { id: 'T0LEAVING', name: 'Leaving' } });
    await mine.set({ channelId: 'C0SALES', events: ['email.replied'] });
    await mine.happens('email.replied');
    await posted(mine, 1);
    const calls = server.calls.length;
    await mine.api.delete('/v1/integrations/slack').expect(200);
    expect(server.calls.slice(calls)).toEqual(['auth.revoke']);
    expectFormB(await mine.api.get('/v1/integrations/slack'), 404, 'NOT_FOUND');
    expect((await mine.api.get('/v1/integrations/slack/messages')).status).toBe(404);
    const { chat_messages: left = [] } = await readContent(platform.app.get<Connection>(getConnectionToken()).db!);
    const ids = (left as { workspaceId: unknown }[]).map(({ workspaceId }) => String(workspaceId));
    expect(ids).not.toContain(mine.workspace.workspaceId);
    const { body } = await mine.api.get('/v1/audit?targetType=integration').expect(200);
    expect((body as { data: { action: string }[] }).data.map(({ action }) => action)).toEqual([
      'integration.removed',
      'integration.updated',
      'integration.connected',
    ]);
  });

  it.each([
    ['removed', (of: SlackUser) => of.api.delete('/v1/integrations/slack').expect(200)],
    ['connected by a webhook', (of: SlackUser) => of.set({ webhookUrl: server.webhook() })],
    ['connected with another team', (of: SlackUser) => of.consent({ team: { id: 'T0NEXT', name: 'Next' } })],
  ])('keeps the token for another workspace of the same team when it is %s', async (_name, leave) => {
    const [mine, theirs] = [await user(), await user()];
    const team = { id: 'T0SHARED', name: 'Shared' };
    await mine.consent({ team });
    await theirs.consent({ team });
    await theirs.set({ channelId: 'C0SALES' });
    const calls = server.calls.length;
    await leave(mine);
    expect(server.calls.slice(calls)).not.toContain('auth.revoke');
    await theirs.api.post('/v1/integrations/slack/test').expect(200);
  });

  it('is readable for members, and writable for admins only', async () => {
    const mine = await user();
    await mine.set({ webhookUrl: server.webhook() });
    const reader = platform.api.as(await platform.seed.workspaceKey(mine.workspace.workspaceId, ['read', 'write']));
    await reader.get('/v1/integrations/slack').expect(200);
    await reader.get('/v1/integrations/slack/messages').expect(200);
    await reader.put('/v1/integrations/slack').send({}).expect(403);
    await reader.post('/v1/integrations/slack/oauth').send({}).expect(403);
    await reader.delete('/v1/integrations/slack').expect(403);
  });

  describe('a consent', () => {
    it('cannot be used twice', async () => {
      const mine = await user();
      const { path } = await mine.consent();
      expect((await mine.back(path)).status).toBe(400);
      expect((await mine.back(path)).text).toContain('no longer valid');
    });

    it('connects the workspace of its state, whichever user returns with the code', async () => {
      const theirs = await user();
      const started = await theirs.start();
      await bare.back(server.consent(started.authUrl));
      await bare.api.get('/v1/integrations/slack').expect(404);
      expect(await theirs.read()).toMatchObject({ authMethod: 'consent' });
      await bare.api.get(`/v1/integrations/slack/oauth-sessions/${started._id}`).expect(404);
    });

    it('expires after ten minutes', async () => {
      const started = await bare.start();
      platform.clock.advance(10 * 60_000 + 1);
      expect((await bare.back(server.consent(started.authUrl))).status).toBe(400);
      expect((await bare.session(started._id)).status).toBe('expired');
    });

    it.each([
      ['was denied', { deny: true }, 'INTEGRATION_CONSENT_DENIED'],
      ['covers too few scopes', { scopes: ['chat:write'] }, 'INTEGRATION_CONSENT_FAILED'],
      ['expires', { rotates: true }, 'INTEGRATION_CONSENT_FAILED'],
    ])('connects nothing when it %s', async (_name, as, code) => {
      const { response, session } = await bare.consent(as);
      expect(response.text).toContain('Slack was not connected');
      expect(session).toMatchObject({ status: 'failed', error: { code } });
      await bare.api.get('/v1/integrations/slack').expect(404);
    });

    it('connects nothing with a guessed code or state', async () => {
      const started = await bare.start();
      const state = new URL(started.authUrl).searchParams.get('state')!;
      expect((await bare.back(`/oauth/chat/slack/callback?state=guessed&code=x`)).status).toBe(400);
      const response = await bare.back(`/oauth/chat/slack/callback?state=${state}&code=canary-code`);
      expect(response.text).toContain('Slack was not connected');
      expect(response.text).not.toContain('canary-code');
      expect(await bare.session(started._id)).toMatchObject({ status: 'failed' });
    });

    it('for another Slack workspace replaces the connection and revokes its token', async () => {
      const mine = await user();
      await mine.consent({ team: { id: 'T0FORMER', name: 'Former' } });
      await mine.set({ channelId: 'C0SALES' });
      const calls = server.calls.length;
      await mine.consent({ team: { id: 'T0OTHER', name: 'Other' } });
      expect(server.calls.slice(calls)).toEqual(['oauth.v2.access', 'auth.revoke']);
      expect(await mine.read()).toMatchObject({ teamName: 'Other', channel: null, status: 'connected' });
    });

    it('for the same Slack workspace keeps the channel and its token', async () => {
      const mine = await user();
      await mine.consent();
      await mine.set({ channelId: 'C0SALES' });
      const calls = server.calls.length;
      await mine.consent();
      expect(server.calls.slice(calls)).toEqual(['oauth.v2.access']);
      expect(await mine.read()).toMatchObject({ channel: { id: 'C0SALES' } });
    });
  });
});
