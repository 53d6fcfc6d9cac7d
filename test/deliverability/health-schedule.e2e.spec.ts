import { RedisClient } from '@platform/queues';
import { readyCampaign } from '../campaigns/campaigns';
import { type SeededWorkspace } from '../harness';
import { type Mailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';
import { DomainsFixture } from './domains';

const HOUR = 3_600_000;

describe('the scheduled health checks of mailboxes', () => {
  let fixture: DomainsFixture;
  let workspace: SeededWorkspace;
  let domain: string;
  let mailbox: Mailbox;

  beforeAll(async () => {
    fixture = await DomainsFixture.start({ worker: true });
  });
  beforeEach(async () => {
    workspace = await fixture.platform.seed.workspace();
    domain = fixture.domain();
    mailbox = await fixture.connected(workspace, domain);
  });
  afterAll(() => fixture.close());

  const api = () => fixture.platform.api.as(workspace.key);
  const setup = async () =>
    dataOf<{ setupStatus: object }>(await api().get(`/v1/mailboxes/${mailbox._id}`)).setupStatus;
  const changes = async () =>
    dataOf<{ data: object; mailboxId: string }[]>(await api().get('/v1/events?type=mailbox.health_changed'));

  async function work(): Promise<void> {
    await fixture.platform.tick();
    await fixture.platform.drain();
  }

  /** Runs the next scheduled check. */
  async function checked(): Promise<void> {
    const { nextCheckAt } = dataOf<{ nextCheckAt: string }>(
      await api().get(`/v1/mailboxes/${mailbox._id}/health/report`),
    );
    fixture.platform.clock.freeze(new Date(nextCheckAt));
    await work();
  }

  it('run for a newly connected mailbox without a request', async () => {
    await work();
    expect(await setup()).toMatchObject({ healthScore: 100, spf: { status: 'pass' } });
  });

  it('run again by schedule, and record an event when a check begins to fail and when it passes again', async () => {
    await work();
    fixture.spf(domain);
    fixture.platform.clock.advance(HOUR);
    await checked();
    expect(await setup()).toMatchObject({ healthScore: 70, spf: { status: 'fail' } });
    expect(await changes()).toMatchObject([
      { mailboxId: mailbox._id, data: { check: 'spf', from: 'pass', to: 'fail' } },
    ]);
    fixture.spf(domain, 'v=spf1 ip4:192.0.2.1 -all');
    await checked();
    expect(await changes()).toMatchObject([
      { data: { check: 'spf', from: 'fail', to: 'pass', healthScore: 100 } },
      { data: { check: 'spf', from: 'pass', to: 'fail', healthScore: 70 } },
    ]);
  });

  it('run also after Redis was emptied', async () => {
    await work();
    const { client } = fixture.platform.app.get(RedisClient);
    const keys = await client.keys(`*${fixture.platform.config.queuePrefix}*mailbox-health*`);
    expect(keys.length).toBeGreaterThan(0);
    await client.del(...keys);
    fixture.spf(domain);
    fixture.platform.clock.advance(HOUR);
    await checked();
    expect(await setup()).toMatchObject({ spf: { status: 'fail' } });
  });

  it('decide whether a campaign starts', async () => {
    fixture.spf(domain);
    await work();
    const { _id } = await readyCampaign(fixture.platform, workspace);
    await api()
      .patch(`/v1/campaigns/${_id}`)
      .send({ mailboxes: [mailbox._id] })
      .expect(200);
    const { checks } = dataOf<{ checks: { check: string; status: string; message: string }[] }>(
      await api().get(`/v1/campaigns/${_id}/readiness`),
    );
    const dns = checks.find(({ check }) => check === 'dns');
    expect(dns).toMatchObject({ status: 'failed', message: expect.stringContaining('SPF') as string });
  });
});
