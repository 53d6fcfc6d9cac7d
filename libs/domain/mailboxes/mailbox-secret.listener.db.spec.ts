import { randomBytes } from 'node:crypto';
import { MailError } from '@adapters/mail';
import { OAuthConsentRecord, OAuthConsentSessionsService } from '@domain/oauth';
import { SecretBoxService, SecretRotationService } from '@platform/secrets';
import { eventually, type TestDatabase } from '@testing';
import { type Types } from 'mongoose';
import { type MailboxSecret, getMailboxSecretOwner } from './mailbox-secrets';
import { MailboxTokenService } from './oauth/mailbox-token.service';
import { oauthFailures } from './mailbox-oauth.errors';
import { OAuthFixture } from './testing/oauth-fixture';

type Owner = { workspaceId: Types.ObjectId; mailboxId: Types.ObjectId };

describe('key rotation of mailbox secrets', () => {
  let fixture: OAuthFixture;
  /** Knows the new key but still seals with the old one: the operator's first step. */
  let prepared: TestDatabase;
  let during: TestDatabase;
  let after: TestDatabase;
  const newKey = `k2:${randomBytes(32).toString('base64')}`;

  beforeAll(async () => {
    fixture = await OAuthFixture.open();
    prepared = await fixture.process({ SECRET_KEYS: `${fixture.first.config.secretKeys},${newKey}` });
    during = await fixture.process({ SECRET_KEYS: `${newKey},${fixture.first.config.secretKeys}` });
    after = await fixture.process({ SECRET_KEYS: newKey });
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.server.requests.length = 0;
    fixture.server.rotation = 'none';
    after.clock.reset();
    await fixture.model(OAuthConsentRecord).deleteMany({}, { allWorkspaces: 'a clean start' });
    await fixture.mailboxes.deleteMany({}, { allWorkspaces: 'a clean start' });
  });

  const rotate = (dryRun = false) => fixture.get(SecretRotationService, during).run({ dryRun });
  const opened = (process: TestDatabase, { workspaceId, mailboxId }: Owner, secret: MailboxSecret, sealed: string) =>
    fixture.get(SecretBoxService, process).open(sealed, getMailboxSecretOwner(workspaceId, mailboxId, secret));

  /** Creates a mailbox of each kind, as a process with the old key stored it. */
  async function mailboxes(): Promise<{ consent: Owner; service: Owner; custom: Owner }> {
    const consent = await fixture.mailbox(fixture.account(), { refreshToken: 'refresh-of-before' });
    const service = await fixture.mailbox(fixture.account(), { key: '{"private":"key"}' });
    const custom = await fixture.mailbox(fixture.account());
    const box = fixture.get(SecretBoxService);
    const credentials = (server: 'smtp' | 'imap') => ({
      user: 'ada',
      password: box.seal(`password of ${server}`, getMailboxSecretOwner(custom.workspaceId, custom.mailboxId, server)),
    });
    await fixture.mailboxes.updateOne(
      { _id: custom.mailboxId, workspaceId: custom.workspaceId },
      { $set: { oauthCredentials: null, smtpCredentials: credentials('smtp'), imapCredentials: credentials('imap') } },
    );
    return { consent, service, custom };
  }

  it('covers every password, token and key, so that the old key can be removed', async () => {
    const { consent, service, custom } = await mailboxes();
    expect(await rotate(true)).toMatchObject({ resealed: 6, keysInUse: { k1: 6 } });
    expect(await rotate()).toMatchObject({ resealed: 6, alreadyCurrent: 0, failed: 0, keysInUse: { k2: 6 } });
    expect(await rotate()).toMatchObject({ resealed: 0, alreadyCurrent: 6 });

    const { oauthCredentials: tokens } = await fixture.record(consent);
    expect(opened(after, consent, 'refreshToken', tokens!.refreshToken!)).toBe('refresh-of-before');
    expect(opened(after, consent, 'accessToken', tokens!.accessToken!)).toBe('access-of-before');
    const { oauthCredentials: robot } = await fixture.record(service);
    expect(opened(after, service, 'serviceAccountKey', robot!.serviceAccountKey!)).toBe('{"private":"key"}');
    const { smtpCredentials, imapCredentials } = await fixture.record(custom);
    expect(opened(after, custom, 'smtp', smtpCredentials!.password)).toBe('password of smtp');
    expect(opened(after, custom, 'imap', imapCredentials!.password)).toBe('password of imap');
  });

  it('changes nothing else of a mailbox, and requires no new login', async () => {
    const { consent } = await mailboxes();
    const { oauthCredentials: before, ...settings } = await fixture.record(consent);
    await rotate();
    const { oauthCredentials: now, ...same } = await fixture.record(consent);
    expect(same).toEqual(settings);
    expect(now?.version).toBe(before?.version);
  });

  it('loses no token that is renewed at the same time', async () => {
    fixture.server.rotation = 'strict';
    const account = fixture.account();
    const owner = await fixture.mailbox(account);
    const release = fixture.server.hold();
    const token = fixture.get(MailboxTokenService, prepared).getToken(owner);
    await eventually('the request of the renewal arrives', () => fixture.server.requests.length === 1);
    expect(await rotate()).toMatchObject({ failed: 0, keysInUse: { k2: 2 } });
    release();
    expect(account.tokens.has(await token)).toBe(true);
    // The process that seals with the old key has stored new tokens: the report says so, and a second run completes the
    // rotation.
    const second = await rotate();
    expect(second).toMatchObject({ resealed: 2, failed: 0, keysInUse: { k2: 2 } });
    after.clock.advance(3_600_000);
    expect(account.tokens.has(await fixture.get(MailboxTokenService, after).getToken(owner))).toBe(true);
  });

  it('loses nothing in repeated races with renewals', async () => {
    fixture.server.rotation = 'strict';
    const accounts = Array.from({ length: 8 }, () => fixture.account());
    const owners = await Promise.all(accounts.map((account) => fixture.mailbox(account)));
    const renewals = owners.map((owner) => fixture.get(MailboxTokenService, prepared).getToken(owner));
    await Promise.all([rotate(), ...renewals, rotate()]);
    const last = await rotate();
    expect(last).toMatchObject({ failed: 0, keysInUse: { k2: 16 } });
    for (const [index, owner] of owners.entries()) {
      const { oauthCredentials } = await fixture.record(owner);
      const refreshToken = opened(after, owner, 'refreshToken', oauthCredentials!.refreshToken!);
      expect(accounts[index]!.refreshTokens.has(refreshToken)).toBe(true);
    }
  });

  it('covers consents that are open at a vendor', async () => {
    const workspace = await fixture.workspace();
    const opened = await fixture
      .get(OAuthConsentSessionsService)
      .open(workspace, { name: 'google', redirectUrl: null });
    expect(await rotate()).toMatchObject({ resealed: 1, failed: 0 });
    const connect = jest.fn(async ({ verifier }: { verifier: string }) => verifier);
    const outcome = await fixture
      .get(OAuthConsentSessionsService, after)
      .handleCallback(
        'google',
        { state: opened.state, code: 'c' },
        { failures: oauthFailures, vendorError: MailError, connect },
      );
    expect(outcome).toMatchObject({ status: 'completed', message: expect.stringMatching(/^[\w-]{43}$/) as unknown });
    const { workspaceId } = workspace;
    const consents = fixture.model<OAuthConsentRecord>(OAuthConsentRecord);
    expect(await consents.countDocuments({ workspaceId, verifier: null })).toBe(1);
  });

  it('names the mailbox whose secret cannot be opened, and continues with the others', async () => {
    const { consent } = await mailboxes();
    const where = { _id: consent.mailboxId, workspaceId: consent.workspaceId };
    const lost = 'v1.k0.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA';
    await fixture.mailboxes.updateOne(where, { $set: { 'oauthCredentials.refreshToken': lost } });
    expect(await rotate()).toMatchObject({
      resealed: 5,
      failed: 1,
      failures: [{ store: 'mailboxes', secret: `${String(consent.mailboxId)} refreshToken`, reason: 'unknown_key' }],
      keysInUse: { k0: 1, k2: 5 },
    });
  });
});
