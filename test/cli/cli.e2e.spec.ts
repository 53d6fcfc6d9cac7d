import { DEEP } from '@testing';
import { Types } from 'mongoose';
import { expectFormA, type Platform, startPlatform } from '../harness';
import { newCampaign } from '../campaigns/campaigns';
import { getDatabase } from '../harness/sending';
import { CommandLine } from './command-line';

describe('the operator’s command line', () => {
  let platform: Platform;
  let cli: CommandLine;

  beforeAll(async () => {
    platform = await startPlatform();
    cli = CommandLine.sharing(platform);
  });
  afterAll(async () => {
    await cli.close();
    await platform.close();
  });

  it('creates everything that a new installation needs for its first request', async () => {
    const user = await cli.json<{ id: string }>(
      'users',
      'create',
      '--email',
      'Ada@Example.com',
      '--name',
      'Ada',
      '--operator',
    );
    const workspace = await cli.json<{ id: string }>(
      'workspaces',
      'create',
      '--owner',
      user.id,
      '--name',
      'Analytical',
    );
    const { key } = await cli.json<{ key: string }>(
      'keys',
      'create',
      '--workspace',
      workspace.id,
      '--name',
      'First',
      '--scopes',
      'read,write',
    );
    const read = await platform.api.as(key).get(`/v1/workspaces/${workspace.id}`);
    expect(read.body).toMatchObject({
      success: true,
      data: { id: workspace.id, name: 'Analytical', ownerId: user.id },
    });

    const platformKey = await cli.json<{ key: string }>('keys', 'create', '--user', user.id);
    expect(platformKey.key).toMatch(/^sk_user_/);
    expect((await platform.api.as(platformKey.key).get('/v1/credits/balance')).status).toBe(200);
  });

  it('grants credits once per operation key, and verifies the ledger', async () => {
    const { workspaceId } = await platform.seed.workspace();
    await cli.json('credits', 'grant', workspaceId, '50', '--operation', 'invoice-7');
    await cli.json('credits', 'grant', workspaceId, '50', '--operation', 'invoice-7');
    expect(await cli.json('credits', 'balance', workspaceId)).toEqual({ balance: 50, reserved: 0 });
    expect(await cli.json('credits', 'verify', workspaceId)).toMatchObject({ ok: true, entries: 1 });
  });

  it('revokes a key at once', async () => {
    const workspace = await platform.seed.workspace();
    const { _id, key } = await cli.json<{ _id: string; key: string }>(
      'keys',
      'create',
      '--workspace',
      workspace.workspaceId,
    );
    await cli.json('keys', 'revoke', _id);
    expectFormA(await platform.api.as(key).get('/v1/workspaces'), 401);
  });

  it('sets the given limits of a workspace and leaves the others', async () => {
    const { workspaceId } = await platform.seed.workspace();
    const { limits } = await cli.json<{ limits: object }>('workspaces', 'limits', workspaceId, '--max-members', '3');
    expect(limits).toEqual({ maxMembers: 3, maxCampaigns: 1000, maxLeads: 1_000_000, maxMailboxes: 1000 });
  });

  it('sets and removes the rate limit of a key', async () => {
    const { workspaceId } = await platform.seed.workspace();
    const { _id } = await cli.json<{ _id: string }>('keys', 'create', '--workspace', workspaceId);
    expect(await cli.json('keys', 'rate-limit', _id, '7')).toMatchObject({ rateLimit: 7 });
    expect(await cli.json('keys', 'rate-limit', _id)).toMatchObject({ rateLimit: null });
  });

  it('creates the demo workspace once, with new keys each time', async () => {
    const [first, second] = [
      await cli.json<Record<string, string>>('demo'),
      await cli.json<Record<string, string>>('demo'),
    ];
    expect(Object.keys(first).toSorted()).toEqual(['userKey', 'workspaceId', 'workspaceKey']);
    expect(second['workspaceId']).toBe(first['workspaceId']);
    expect(second['workspaceKey']).not.toBe(first['workspaceKey']);
    const balance = await platform.api.as(second['workspaceKey']!).get('/v1/credits/balance');
    expect(balance.body).toEqual({ success: true, data: { balance: 1000, reserved: 0 } });
  });

  it('recounts and corrects the figures; with the check option it fails on a difference', async () => {
    const { workspaceId, key } = await platform.seed.workspace();
    const campaign = await newCampaign(platform, { key }, { name: 'Counted' });
    const leads = [{ email: 'ann@leads.test' }, { email: 'bob@leads.test' }];
    await platform.api.as(key).post(`/v1/campaigns/${campaign._id}/leads`).send({ leads });
    const args = ['counters', 'rebuild', '--workspace', workspaceId, '--json'];
    const nothing = { workspaces: 1, campaigns: 1, differences: [] };
    expect(JSON.parse((await cli.run([...args, '--check'])).stdout)).toEqual(nothing);
    await getDatabase(platform)
      .collection('campaign_mailboxes')
      .updateOne({ campaignId: new Types.ObjectId(campaign._id), mailboxId: null }, { $inc: { 'leads.active': 3 } });
    const wrong = {
      workspaceId,
      campaignId: campaign._id,
      mailboxId: null,
      figure: 'leads.active',
      is: 5,
      shouldBe: 2,
    };
    const checked = await cli.run([...args, '--check']);
    expect({ status: checked.status, ...(JSON.parse(checked.stdout) as object) }).toEqual({
      ...nothing,
      status: 1,
      differences: [wrong],
    });
    expect(await cli.json('counters', 'rebuild', '--campaign', campaign._id)).toMatchObject({ differences: [wrong] });
    expect((await cli.run([...args, '--check'])).status).toBe(0);
  });

  it('prints the settings in force, with every secret masked', async () => {
    const { stdout } = await cli.run(['config'], { REDIS_URL: 'redis://user:canary@localhost:1' });
    expect(stdout).toContain('API_HOST=127.0.0.1');
    expect(stdout).toContain('REDIS_URL=********');
    expect(stdout).not.toContain('canary');
  });

  it('lists dead jobs', async () => {
    expect(await cli.json('jobs', 'dead')).toEqual([]);
  });

  it.each([
    ['an unknown workspace', ['workspaces', 'show', '0'.repeat(24)], 'NOT_FOUND: Workspace not found'],
    ['a malformed id', ['credits', 'balance', 'nonsense'], 'NOT_FOUND: Workspace not found'],
    ['an amount that is not an integer', ['credits', 'grant', 'x', '1.5'], 'It must be a whole number'],
    ['an amount of zero', ['credits', 'grant', 'x', '0'], 'NOT_FOUND'],
    ['a rate limit in another notation', ['keys', 'rate-limit', 'x', '1e3'], 'requests.*It must be a whole number'],
    ['a key without an owner', ['keys', 'create'], 'give either --user or --workspace'],
    ['an unknown command', ['frobnicate'], 'unknown command'],
    ['a missing option', ['users', 'create', '--name', 'x'], '--email'],
    ['an unknown campaign', ['counters', 'rebuild', '--campaign', 'x'], 'NOT_FOUND: Campaign not found'],
    ['an unknown dead job', ['jobs', 'retry', 'x'], 'NOT_FOUND: Dead job not found'],
  ])('refuses %s with one line on standard error and a failure status', async (_name, args, message) => {
    const { status, stdout, stderr } = await cli.run(args);
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(message));
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stdout).toBe('');
  });

  it.each([
    ['no name', 'workspaces', ['--name', ''], 'name must '],
    [
      'a name that is too long',
      'workspaces',
      ['--name', 'x'.repeat(500)],
      'name must be a text of 1 to 200 characters',
    ],
    ['no name', 'keys', ['--name', ' '], 'name must '],
    ['an unknown scope', 'keys', ['--scopes', 'foo'], 'scopes must be a non-empty list of read, write, admin'],
    ['a scope twice', 'keys', ['--scopes', 'read,read'], 'scopes must be'],
    ['no time', 'keys', ['--expires', 'tomorrow'], 'expiresAt must be an ISO 8601 time with a zone'],
  ])('refuses %s for %s with one line and stores nothing: %j', async (_name, thing, args, message) => {
    const { workspaceId, owner } = await platform.seed.workspace();
    const of = thing === 'keys' ? ['--workspace', workspaceId] : ['--owner', owner.userId];
    const { status, stdout, stderr } = await cli.run([thing, 'create', ...of, ...args]);
    expect({ status, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ status: 1, stdout: '', lines: 1 });
    expect(stderr).toContain(`VALIDATION_ERROR: ${message}`);
    const list = (path: string) => platform.api.as(owner.key).get(path);
    expect((await list('/v1/workspaces')).body).toMatchObject({ pagination: { total: 1 } });
    expect((await list('/v1/api-keys')).body).toMatchObject({ pagination: { total: 1 } });
  });

  it('prints only the result to standard output, whatever the log level', async () => {
    const args = ['users', 'list', '--json'];
    const { status, stdout, stderr } = await cli.built(args, { LOG_LEVEL: 'debug', REDIS_URL: 'redis://127.0.0.1:1' });
    expect(stderr).toContain('"msg":"Redis is unavailable"');
    expect({ status, result: Array.isArray(JSON.parse(stdout)) }).toEqual({ status: 0, result: true });
  });

  const refused: [string, string[], RegExp, Record<string, string>][] = [
    ['a command that fails', ['workspaces', 'show', 'x'], /^NOT_FOUND: Workspace not found\n$/, {}],
    ['a command that does not parse', ['users', 'create'], /^error: required option '--email/, {}],
    [
      'an invalid configuration, with all its errors',
      ['config'],
      /LOG_LEVEL must be[\s\S]*API_PORT must be/,
      { LOG_LEVEL: 'loud', API_PORT: 'x' },
    ],
  ];

  it.each(refused)('refuses %s', async (_what, args, said, env) => {
    expect(await cli.run(args, env)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(said) as string,
    });
  });

  it.each(DEEP ? refused : refused.slice(0, 1))(
    'refuses %s also in the built program',
    async (_what, args, _said, env) => {
      expect(await cli.built(args, env)).toEqual(await cli.run(args, env));
    },
  );

  describe('the command names of release 0.2.0', () => {
    it.each([
      ['release', [], 'outreach release is now outreach maintenance end'],
      ['hold', ['--backup-of', '2026-01-01T00:00:00Z'], 'outreach hold is now outreach maintenance start'],
    ] as const)('still carries out %s, and prints the new name', async (former, args, line) => {
      const { stderr } = await cli.run([former, ...args]);
      expect(stderr).toContain(line);
      await cli.run(['maintenance', 'end', '--nothing-was-sent']);
    });

    it('shows only the new names in its help', async () => {
      const { stdout } = await cli.run(['--help']);
      expect(stdout).toMatch(/^ +maintenance /m);
      expect(stdout).not.toMatch(/^ +(hold|release) /m);
    });
  });
});
