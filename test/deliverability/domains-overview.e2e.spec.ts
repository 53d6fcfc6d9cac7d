import { getModelToken } from '@nestjs/mongoose';
import { systemScope } from '@domain/access';
import { EventsService } from '@domain/events';
import { type Model, Types } from 'mongoose';
import { happening } from '../../libs/domain/events/testing';
import { relayed } from '../analytics/happened';
import { expectFormB, type SeededWorkspace } from '../harness';
import { ID, ISO } from '../workspaces/people';
import { DomainsFixture } from './domains';

interface Listed {
  data: { domain: string; [field: string]: unknown }[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

const NOW = new Date('2026-11-21T12:00:00.000Z');
const DAY = 86_400_000;

describe('GET /v1/deliverability/domains', () => {
  let fixture: DomainsFixture;
  let workspace: SeededWorkspace;
  let domain: string;
  let ada: { _id: string };
  let bob: { _id: string };
  let serial = 0;

  beforeAll(async () => {
    fixture = await DomainsFixture.start();
  });
  beforeEach(async () => {
    fixture.platform.clock.freeze(NOW);
    workspace = await fixture.platform.seed.workspace();
    domain = fixture.domain();
    ada = await fixture.mailbox(workspace, domain, 'ada');
    bob = await fixture.mailbox(workspace, domain, 'bob');
  });
  afterAll(() => fixture.close());

  const ask = (query = '', key = workspace.key) =>
    fixture.platform.api.as(key).get(`/v1/deliverability/domains${query}`);
  const list = async (query = '') => (await ask(query).expect(200)).body as Listed;
  const check = (mailbox = ada) =>
    fixture.platform.api.as(workspace.key).post(`/v1/mailboxes/${mailbox._id}/health/check`).expect(200);
  const model = (name: string) =>
    fixture.platform.app.get<Model<Record<string, unknown>>>(getModelToken(name), { strict: false });

  /** The worker checks Bob’s mailbox too. */
  const enrol = (mailbox = bob) =>
    model('MailboxRecord').updateOne(
      { workspaceId: workspace.workspaceId, _id: mailbox._id },
      { $set: { 'setup.domain': domain } },
    );

  async function happens(
    type: 'email.sent' | 'email.bounced' | 'email.complained',
    mailbox: { _id: string },
    at = NOW,
  ) {
    serial += 1;
    const about = { mailboxId: mailbox._id };
    const data = type === 'email.bounced' ? { inSession: true, verdict: 'hard' as const } : {};
    const event = happening(type, `overview:${serial}`, { about, data: data as never, at });
    await fixture.platform.app.get(EventsService, { strict: false }).record(systemScope(workspace.workspaceId), event);
  }

  it('is empty while no domain is monitored', async () => {
    expect(await list()).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  it('answers exactly the documented fields of a domain', async () => {
    await check();
    expect((await list()).data).toEqual([
      {
        _id: ID,
        domain,
        healthScore: 100,
        dns: { mx: 'pass', spf: 'pass', dkim: 'pass', dmarc: 'pass', checkedAt: NOW.toISOString() },
        blacklists: { testedAt: null, listings: [] },
        mailboxes: 1,
        sending: { sent: 0, bounced: 0, complained: 0, bounceRate: null, complaintRate: null },
        warmup: { statuses: { not_started: 1 }, volume: 0 },
        createdAt: ISO,
      },
    ]);
  });

  it('counts the mailboxes of the domain by their warmup state', async () => {
    await check();
    await enrol();
    const set = (mailbox: { _id: string }, warmup: object) =>
      model('MailboxRecord').updateOne({ workspaceId: workspace.workspaceId, _id: mailbox._id }, { $set: warmup });
    const cleo = await fixture.mailbox(workspace, domain, 'cleo');
    await enrol(cleo);
    await set(ada, { 'warmup.status': 'in_progress', 'warmup.enabled': true, 'warmup.currentVolume': 12 });
    await set(bob, { 'warmup.status': 'paused', 'warmup.currentVolume': 7 });
    // It has reached its target and continues.
    await set(cleo, { 'warmup.status': 'completed', 'warmup.enabled': true, 'warmup.currentVolume': 25 });
    const [found] = (await list()).data;
    expect(found).toMatchObject({
      mailboxes: 3,
      warmup: { statuses: { completed: 1, in_progress: 1, paused: 1 }, volume: 37 },
    });
  });

  it('counts the emails, bounces and complaints of 28 days', async () => {
    await check();
    await enrol();
    const old = new Date(NOW.getTime() - 29 * DAY);
    for (const mailbox of [ada, ada, bob]) await happens('email.sent', mailbox);
    await happens('email.sent', ada, old);
    await happens('email.bounced', bob);
    await happens('email.complained', ada, new Date(NOW.getTime() - 27 * DAY));
    // The day before the first of the 28 days, which end today.
    await happens('email.complained', ada, new Date('2026-10-24T23:59:59.999Z'));
    await relayed(fixture.platform);
    const [found] = (await list()).data;
    // The server rejected it: this attempt counts as sent.
    expect(found).toMatchObject({
      sending: { sent: 4, bounced: 1, complained: 1, bounceRate: 0.25, complaintRate: 0.25 },
    });
  });

  it('names each listing of the latest blacklist tests once', async () => {
    await check();
    await enrol();
    const listing = { zone: 'dbl.example', subject: domain, weight: 1 };
    const standing = (mailbox: { _id: string }, testedAt: Date, listings: object[]) => ({
      _id: new Types.ObjectId(mailbox._id),
      workspaceId: new Types.ObjectId(workspace.workspaceId),
      testId: new Types.ObjectId(),
      testedAt,
      listings,
    });
    const earlier = new Date(NOW.getTime() - DAY);
    await model('MailboxBlacklistStatusRecord').insertMany([
      standing(ada, earlier, [listing]),
      standing(bob, NOW, [listing, { zone: 'ip.example', subject: '192.0.2.1', weight: 1 }]),
    ]);
    const [found] = (await list()).data;
    expect(found).toMatchObject({
      blacklists: {
        testedAt: NOW.toISOString(),
        listings: [
          { zone: 'dbl.example', subject: domain },
          { zone: 'ip.example', subject: '192.0.2.1' },
        ],
      },
    });
  });

  it('pages, newest first, and excludes other workspaces', async () => {
    await check();
    const newer = fixture.domain();
    fixture.platform.clock.advance(1_000);
    await check(await fixture.mailbox(workspace, newer));
    const first = await list('?limit=1');
    expect(first).toMatchObject({ data: [{ domain: newer }], pagination: { total: 2, hasMore: true } });
    const second = await list(`?limit=1&cursor=${first.pagination.nextCursor}`);
    expect(second).toMatchObject({ data: [{ domain }], pagination: { hasMore: false, nextCursor: null } });
    const other = await fixture.platform.seed.workspace();
    expect((await ask('', other.key).expect(200)).body).toMatchObject({ data: [] });
    const foreign = await ask(`?limit=1&cursor=${first.pagination.nextCursor}`, other.key);
    expectFormB(foreign, 400, 'VALIDATION_ERROR', 'cursor');
  });

  it('removes a domain when its last mailbox is deleted', async () => {
    await check();
    for (const { _id } of [ada, bob])
      await fixture.platform.api.as(workspace.key).delete(`/v1/mailboxes/${_id}`).expect(200);
    expect((await list()).data).toEqual([]);
  });
});
