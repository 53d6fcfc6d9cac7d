import { generateKeyPairSync } from 'node:crypto';
import { OAuthServer } from '../../libs/domain/mailboxes/testing';
import { expectFormB, type Platform, startPlatform } from '../harness';
import { OAuthConsents } from './oauth';

let serial = 0;
const address = (): string => `linus-${(serial += 1)}@mail.test`;

describe('the connection of a mailbox through a service account', () => {
  let platform: Platform;
  let server: OAuthServer;
  let mine: OAuthConsents;
  let file: ReturnType<OAuthServer['serviceAccount']>;

  beforeAll(async () => {
    server = await OAuthServer.start();
    // A service account needs no OAuth client of the installation.
    platform = await startPlatform({ env: { ...server.env, GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '' } });
    mine = new OAuthConsents(platform, server, await platform.seed.workspace());
    file = server.serviceAccount('robot');
  });
  afterAll(async () => {
    await platform.close();
    await server.close();
  });

  const connect = (body: object) => mine.api.post('/v1/mailboxes/service-account').send(body);

  it.each([
    ['an object', (key: object): unknown => key],
    ['a string', (key: object): unknown => JSON.stringify(key)],
  ])('accepts the key file as %s and uses the operator’s token server, not that of the file', async (_name, form) => {
    const { address: email } = server.account('google', address());
    const response = await connect({ email, displayName: 'Linus', dailySendLimit: 7, serviceAccountKey: form(file) });
    expect(response.status).toBe(201);
    const { data } = response.body as { data: Record<string, unknown> };
    expect(data).toMatchObject({
      email,
      displayName: 'Linus',
      dailySendLimit: 7,
      provider: 'google',
      connectionType: 'oauth',
      status: 'active',
    });
    expect(await mine.mailbox(String(data['_id']))).toEqual(data);
    expect(response.text).not.toMatch(/PRIVATE KEY|serviceAccount|private_key/i);
    expect((await mine.actions())[0]).toBe('mailbox.created');
  });

  const { privateKey: elliptic } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

  it.each([
    ['no key', {}],
    ['an empty string', ''],
    ['a list', []],
    ['a number', 7],
    ['a string that is not JSON', '{"private_key": "canary-key'],
    ['a client secret file', { web: { client_secret: 'canary-key' } }],
    ['a file of another type', { type: 'authorized_user', client_email: 'a@b.c', private_key: 'canary-key' }],
    ['no private key', { client_email: 'robot@project.iam.gserviceaccount.com' }],
    ['an invalid private key', { client_email: 'robot@project.iam.gserviceaccount.com', private_key: 'canary-key' }],
    ['a key of another type', { client_email: 'robot@project.iam.gserviceaccount.com', private_key: elliptic }],
  ])('refuses %s without repeating it', async (_name, serviceAccountKey) => {
    const asked = server.requests.length;
    const response = await connect({ email: address(), serviceAccountKey });
    expectFormB(response, 400, 'VALIDATION_ERROR', 'serviceAccountKey');
    expect(response.text).not.toContain('canary-key');
    expect(server.requests).toHaveLength(asked);
  });

  it('stores nothing when Google does not authorise it for the mailbox', async () => {
    const stranger = address();
    const unknown = await connect({ email: stranger, serviceAccountKey: file });
    expectFormB(unknown, 422, 'MAILBOX_CHECK_FAILED', 'serviceAccountKey');
    expect(unknown.text).toContain('Invalid email or User ID');
    const untrusted = server.serviceAccount('untrusted');
    server.distrust(untrusted.client_email);
    const { address: email } = server.account('google', address());
    expectFormB(
      await connect({ email, serviceAccountKey: untrusted }),
      422,
      'MAILBOX_CHECK_FAILED',
      'serviceAccountKey',
    );
    server.trouble({ status: 503 });
    expectFormB(await connect({ email, serviceAccountKey: file }), 422, 'MAILBOX_CHECK_FAILED', 'serviceAccountKey');
    for (const search of [stranger, email]) {
      const { body } = await mine.api.get(`/v1/mailboxes?search=${search}`).expect(200);
      expect((body as { data: unknown[] }).data).toEqual([]);
    }
  });

  it('connects an address once, and replaces the key of a named mailbox', async () => {
    const { address: email } = server.account('google', address());
    const { body } = await connect({ email, displayName: 'Kept', serviceAccountKey: file }).expect(201);
    const { _id } = (body as { data: { _id: string } }).data;
    expectFormB(await connect({ email, serviceAccountKey: file }), 409, 'CONFLICT');
    const next = server.serviceAccount('next');
    const again = await connect({ email, serviceAccountKey: next, mailboxId: _id }).expect(201);
    expect((again.body as { data: object }).data).toMatchObject({ _id, displayName: 'Kept', status: 'active' });
    expect((await mine.actions())[0]).toBe('mailbox.reauthorised');
  });

  it('stores a key only for the mailbox with which it was verified', async () => {
    const [one, other] = [server.account('google', address()), server.account('google', address())];
    const { body } = await connect({ email: one.address, serviceAccountKey: file }).expect(201);
    const mailboxId = (body as { data: { _id: string } }).data._id;
    expectFormB(
      await connect({ email: other.address, serviceAccountKey: file, mailboxId }),
      422,
      'OAUTH_WRONG_ACCOUNT',
    );
    const foreign = platform.api.as((await platform.seed.workspace()).key).post('/v1/mailboxes/service-account');
    expectFormB(await foreign.send({ email: one.address, serviceAccountKey: file, mailboxId }), 404, 'NOT_FOUND');
  });
});
