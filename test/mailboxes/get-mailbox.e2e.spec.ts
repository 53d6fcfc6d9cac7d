import { mailSandbox } from '@testing';
import { getModelToken } from '@nestjs/mongoose';
import { MailboxFiguresService } from '@domain/mailboxes';
import { type Model } from 'mongoose';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, ID, ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { connected, type Mailbox } from './sandbox';

let platform: Platform;

beforeAll(async () => {
  platform = await sharedPlatform();
});
afterAll(() => platform.close());

describe('GET /v1/mailboxes/:mailboxId', () => {
  let workspace: SeededWorkspace;
  let mailbox: Mailbox;
  let records: Model<Record<string, unknown>>;

  beforeAll(() => {
    records = platform.app.get(getModelToken('MailboxRecord'), { strict: false });
  });
  beforeEach(async () => {
    platform.clock.reset();
    workspace = await platform.seed.workspace();
    mailbox = await connected(platform, workspace, { timezone: 'Pacific/Auckland', tags: ['Sales'] });
  });

  const get = (id = mailbox._id, key = workspace.key) => platform.api.as(key).get(`/v1/mailboxes/${id}`);
  const set = (fields: object) =>
    records.updateOne({ workspaceId: workspace.workspaceId, _id: mailbox._id }, { $set: fields });

  it('answers exactly the documented fields of a new mailbox', async () => {
    const { smtp, imap } = mailSandbox();
    const response = await get();
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          _id: ID,
          email: mailbox.email,
          displayName: '',
          provider: 'custom',
          status: 'active',
          connectionType: 'smtp',
          dailySendLimit: 30,
          sentToday: 0,
          sendingEnabled: true,
          signature: '',
          smtpHost: smtp.host,
          smtpPort: smtp.tlsPort,
          smtpSecure: true,
          imapHost: imap.host,
          imapPort: imap.tlsPort,
          imapSecure: true,
          warmup: {
            enabled: false,
            status: 'not_started',
            currentDay: 0,
            currentVolume: 0,
            config: { startingVolume: 10, dailyIncrease: 1, targetVolume: 25 },
            metrics: {
              totalEmailsSent: 0,
              inboxRate: 0,
              spamRate: 0,
              promotionsRate: 0,
              replyRate: 0,
              totalRepliesReceived: 0,
              blockRate: 0,
              bounceRate: 0,
              deferralRate: 0,
              openRate: 0,
              lastCalculatedAt: null,
            },
          },
          tags: ['Sales'],
          bounceRate: 0,
          totalSent: 0,
          totalReceived: 0,
          setupStatus: {
            healthScore: 0,
            mx: { status: 'unknown' },
            spf: { status: 'unknown' },
            dkim: { status: 'unknown' },
            dmarc: { status: 'unknown' },
          },
          lastError: null,
          createdAt: ISO,
          updatedAt: ISO,
        },
      },
    });
  });

  it('includes the state of warmup, health check and connection', async () => {
    const at = new Date('2026-11-20T10:00:00Z');
    await set({
      status: 'error',
      setup: { healthScore: 85, mx: 'pass', spf: 'warn', dkim: 'fail', dmarc: 'unknown' },
      lastError: { code: '421', command: 'EHLO', response: '421 4.3.2 later', message: 'The server is busy', at },
      'warmup.status': 'in_progress',
      'warmup.metrics': { inboxRate: 0.9, lastCalculatedAt: at, somethingElse: 1 },
    });
    const read = dataOf<Mailbox>(await get());
    expect(read).toMatchObject({
      status: 'error',
      setupStatus: {
        healthScore: 85,
        mx: { status: 'pass' },
        spf: { status: 'warn' },
        dkim: { status: 'fail' },
        dmarc: { status: 'unknown' },
      },
      lastError: {
        code: '421',
        command: 'EHLO',
        response: '421 4.3.2 later',
        message: 'The server is busy',
        at: at.toISOString(),
      },
    });
    expect(read['warmup']).toMatchObject({
      status: 'in_progress',
      metrics: { inboxRate: 0.9, lastCalculatedAt: at.toISOString() },
    });
    expect(JSON.stringify(read)).not.toContain('somethingElse');
  });

  it('answers null for the servers of a hosted mailbox, and never returns credentials', async () => {
    await set({
      provider: 'google',
      connectionType: 'oauth',
      ...Object.fromEntries(
        ['smtpHost', 'smtpPort', 'smtpSecure', 'imapHost', 'imapPort', 'imapSecure'].map((field) => [field, null]),
      ),
      oauthCredentials: { kind: 'consent', refreshToken: 'sealed-canary', version: 1 },
    });
    const { text } = await get();
    expect(text).not.toMatch(/redentials|canary|sealed/);
    expect(dataOf(await get())).toMatchObject({ connectionType: 'oauth', smtpHost: null, imapSecure: null });
  });

  it('counts sentToday by the day in the mailbox’s time zone, and bounces as a fraction of the sent emails', async () => {
    const figures = platform.app.get(MailboxFiguresService, { strict: false });
    platform.clock.freeze(new Date('2026-11-21T10:59:00Z')); // 23:59 in Auckland
    await figures.count(workspace, mailbox._id, { sent: 4, bounced: 1, received: 2 });
    expect(dataOf(await get())).toMatchObject({ sentToday: 4, totalSent: 4, totalReceived: 2, bounceRate: 0.25 });
    platform.clock.freeze(new Date('2026-11-21T11:00:00Z'));
    expect(dataOf(await get())).toMatchObject({ sentToday: 0, totalSent: 4, bounceRate: 0.25 });
  });

  it('accepts a member and a read-only key', async () => {
    const member = await newMember(platform, workspace);
    await platform.api.as(member.key).in(workspace.workspaceId).get(`/v1/mailboxes/${mailbox._id}`).expect(200);
    await get(mailbox._id, await platform.seed.workspaceKey(workspace.workspaceId, ['read'])).expect(200);
  });

  it('answers 404 Form B to an unknown id, a malformed id and another workspace’s mailbox', async () => {
    const other = await platform.seed.workspace();
    const foreign = await connected(platform, other);
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS, foreign._id]) {
      const response = await get(id);
      expectFormB(response, 404, 'NOT_FOUND');
      expect((response.body as { error: { message: string } }).error.message).toBe('Mailbox not found');
    }
  });
});

describe('GET /v1/mailboxes/:mailboxId/settings', () => {
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    workspace = await platform.seed.workspace();
  });

  const get = (id: string) => platform.api.as(workspace.key).get(`/v1/mailboxes/${id}/settings`);

  it('answers the settings that the mailbox has no field for', async () => {
    const { _id } = await connected(platform, workspace, { timezone: 'Asia/Kathmandu', sendGapSeconds: 90 });
    const fresh = {
      mailboxId: _id,
      timezone: 'Asia/Kathmandu',
      sendGapSeconds: 90,
      connection: { state: 'connected', since: ISO, failures: 0, nextCheckAt: null },
      pausedAt: null,
      lastSyncedAt: null,
      sendingStopped: null,
      unreadable: null,
    };
    expect(dataOf(await get(_id))).toEqual(fresh);
    await platform.api.as(workspace.key).post(`/v1/mailboxes/${_id}/pause`).expect(200);
    expect(dataOf(await get(_id))).toEqual({ ...fresh, pausedAt: ISO });
  });

  it('answers 404 Form B to an unknown id', async () => {
    for (const id of [UNKNOWN_ID, 'x']) expectFormB(await get(id), 404, 'NOT_FOUND');
  });
});
