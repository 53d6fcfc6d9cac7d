import { randomBytes } from 'node:crypto';
import { OAuthServer } from '../../libs/domain/mailboxes/testing';
import { type Platform, startPlatform } from '../harness';
import { OAuthConsents } from '../mailboxes/oauth';
import { CommandLine } from './command-line';

interface Report {
  resealed: number;
  alreadyCurrent: number;
  failed: number;
  keysInUse: Record<string, number>;
  currentKey: string;
}

describe('secrets rotate', () => {
  let platform: Platform;
  let server: OAuthServer;
  let mine: OAuthConsents;
  const newKey = `k2:${randomBytes(32).toString('base64')}`;

  beforeAll(async () => {
    server = await OAuthServer.start();
    platform = await startPlatform({ env: server.env });
    mine = new OAuthConsents(platform, server, await platform.seed.workspace());
  });
  afterAll(async () => {
    await platform.close();
    await server.close();
  });

  async function rotate(keys: string, ...args: string[]): Promise<{ status: number; report: Report; output: string }> {
    const cli = new CommandLine(platform, ['secrets', 'rotate', '--json']);
    const { status, stdout, stderr } = await cli.run(args, { SECRET_KEYS: keys });
    return { status, report: JSON.parse(stdout || '{}') as Report, output: stdout + stderr };
  }

  it('encrypts mailboxes and stored responses with the new key, after which the old key is not needed', async () => {
    const account = server.account('google', 'ada@mail.test');
    await mine.connect(account);
    await mine.api.post('/v1/mailboxes/oauth/google').set('Idempotency-Key', 'kept').send({}).expect(201);
    const both = `${newKey},${platform.config.secretKeys}`;

    const dry = await rotate(both, '--dry-run');
    // Refresh token, access token, the verifier of the second consent and its response.
    expect(dry).toMatchObject({ status: 0, report: { resealed: 4, keysInUse: { k1: 4 } } });
    const done = await rotate(both);
    expect(done).toMatchObject({
      status: 0,
      report: { resealed: 4, alreadyCurrent: 0, failed: 0, keysInUse: { k2: 4 }, currentKey: 'k2' },
    });
    expect(await rotate(newKey)).toMatchObject({ status: 0, report: { resealed: 0, alreadyCurrent: 4, failed: 0 } });
    for (const secret of [...account.tokens, ...account.refreshTokens]) expect(done.output).not.toContain(secret);
  });

  it('fails and names the secret when a key is missing', async () => {
    const other = `k9:${randomBytes(32).toString('base64')}`;
    const { status, report } = await rotate(other);
    expect(status).toBe(1);
    expect(report).toMatchObject({ resealed: 0, failed: 4 });
  });
});
