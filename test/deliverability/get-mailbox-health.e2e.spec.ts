import { getModelToken } from '@nestjs/mongoose';
import { MailboxFiguresService } from '@domain/mailboxes';
import { type Model } from 'mongoose';
import { expectFormA, expectFormB, type SeededWorkspace } from '../harness';
import { type Mailbox } from '../mailboxes/sandbox';
import { dataOf, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { DomainsFixture } from './domains';

describe('GET /v1/mailboxes/:mailboxId/health', () => {
  let fixture: DomainsFixture;
  let workspace: SeededWorkspace;
  let domain: string;
  let mailbox: { _id: string; email: string };
  let records: Model<Record<string, unknown>>;

  beforeAll(async () => {
    fixture = await DomainsFixture.start();
    records = fixture.platform.app.get(getModelToken('MailboxRecord'), { strict: false });
    workspace = await fixture.platform.seed.workspace();
  });
  beforeEach(async () => {
    domain = fixture.domain();
    mailbox = await fixture.mailbox(workspace, domain);
  });
  afterAll(() => fixture.close());

  const get = (id = mailbox._id, key = workspace.key) =>
    fixture.platform.api
      .as(key)
      .with({ Authorization: `Bearer ${key}` })
      .get(`/v1/mailboxes/${id}/health`);
  const check = () =>
    fixture.platform.api.as(workspace.key).post(`/v1/mailboxes/${mailbox._id}/health/check`).expect(200);
  const set = (fields: object) =>
    records.updateOne({ workspaceId: workspace.workspaceId, _id: mailbox._id }, { $set: fields });

  it('answers exactly the documented fields of a mailbox that was never checked', async () => {
    const response = await get();
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          email: mailbox.email,
          status: 'active',
          sendingEnabled: true,
          dns: {
            mx: { status: 'unknown', records: [] },
            spf: { status: 'unknown', record: null },
            dkim: { status: 'unknown', selector: null, record: null },
            dmarc: { status: 'unknown', record: null },
            healthScore: 0,
          },
          warmup: { enabled: false, status: 'not_started', currentDay: 0, currentVolume: 0, metrics: {} },
          deliverability: { bounceRate: 0, totalSent: 0, totalReceived: 0, consecutiveFailures: 0 },
          dailySendLimit: 30,
          sentToday: 0,
          lastError: null,
        },
      },
    });
  });

  it('answers the records of its domain from the last check', async () => {
    await check();
    expect(dataOf<{ dns: object }>(await get()).dns).toEqual({
      mx: { status: 'pass', records: [{ exchange: `mx.${domain}`, priority: 10 }] },
      spf: { status: 'pass', record: 'v=spf1 ip4:192.0.2.1 -all' },
      dkim: { status: 'pass', selector: 'google', record: expect.stringContaining('v=DKIM1; k=rsa; p=') as string },
      dmarc: { status: 'pass', record: `v=DMARC1; p=reject; rua=mailto:dmarc@${domain}` },
      healthScore: 100,
    });
    const { setupStatus } = dataOf<Mailbox>(
      await fixture.platform.api.as(workspace.key).get(`/v1/mailboxes/${mailbox._id}`),
    );
    expect(setupStatus).toEqual({
      healthScore: 100,
      mx: { status: 'pass' },
      spf: { status: 'pass' },
      dkim: { status: 'pass' },
      dmarc: { status: 'pass' },
    });
  });

  it('answers null for a missing record, and reports it as a failure', async () => {
    fixture.spf(domain);
    await check();
    expect(dataOf(await get())).toMatchObject({ dns: { spf: { status: 'fail', record: null }, healthScore: 70 } });
  });

  it('includes the state of warmup, connection and sending', async () => {
    const at = new Date('2026-11-20T10:00:00Z');
    const figures = fixture.platform.app.get(MailboxFiguresService, { strict: false });
    await figures.count(workspace, mailbox._id, { sent: 4, bounced: 1, received: 2 });
    await set({
      status: 'error',
      'connection.failures': 3,
      lastError: { code: '421', command: 'EHLO', response: '421 4.3.2 later', message: 'The server is busy', at },
      'warmup.enabled': true,
      'warmup.status': 'in_progress',
      'warmup.currentDay': 4,
      'warmup.currentVolume': 13,
      'warmup.metrics': { inboxRate: 0.9, lastCalculatedAt: at, somethingElse: 1 },
    });
    const read = dataOf<{ warmup: { metrics: object } }>(await get());
    expect(read).toMatchObject({
      status: 'error',
      sentToday: 4,
      warmup: { enabled: true, status: 'in_progress', currentDay: 4, currentVolume: 13 },
      deliverability: { bounceRate: 0.25, totalSent: 4, totalReceived: 2, consecutiveFailures: 3 },
      lastError: { code: '421', message: 'The server is busy', at: at.toISOString() },
    });
    expect(read.warmup.metrics).toMatchObject({ inboxRate: 0.9, spamRate: 0, lastCalculatedAt: at.toISOString() });
    expect(read.warmup.metrics).not.toHaveProperty('somethingElse');
  });

  it('requires the bearer too, and rejects a missing or different one', async () => {
    const path = `/v1/mailboxes/${mailbox._id}/health`;
    expectFormA(await fixture.platform.api.as(workspace.key).get(path), 401);
    const other = await fixture.platform.seed.workspaceKey(workspace.workspaceId);
    const wrong = fixture.platform.api.as(workspace.key).with({ Authorization: `Bearer ${other}` });
    expectFormA(await wrong.get(path), 401);
  });

  it('accepts members', async () => {
    const member = await newMember(fixture.platform, workspace);
    const asked = fixture.platform.api.as(member.key).in(workspace.workspaceId);
    await asked
      .with({ Authorization: `Bearer ${member.key}` })
      .get(`/v1/mailboxes/${mailbox._id}/health`)
      .expect(200);
  });

  it('answers 404 to an unknown id and a malformed one', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) expectFormB(await get(id), 404, 'NOT_FOUND');
  });

  it('answers 404 to another workspace’s mailbox', async () => {
    const other = await fixture.platform.seed.workspace();
    expectFormB(await get(mailbox._id, other.key), 404, 'NOT_FOUND');
  });
});
