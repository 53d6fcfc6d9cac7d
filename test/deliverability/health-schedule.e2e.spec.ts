import { RedisClient } from '@platform/queues';
import { readyCampaign } from '../campaigns/campaigns';
import { type SeededWorkspace } from '../harness';
import { type Mailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';
import { DomainWorld } from './domains';

const HOUR = 3_600_000;

describe('the health of mailboxes', () => {
  let world: DomainWorld;
  let workspace: SeededWorkspace;
  let domain: string;
  let mailbox: Mailbox;

  beforeAll(async () => {
    world = await DomainWorld.start({ worker: true });
  });
  beforeEach(async () => {
    workspace = await world.platform.seed.workspace();
    domain = world.domain();
    mailbox = await world.connected(workspace, domain);
  });
  afterAll(() => world.close());

  const api = () => world.platform.api.as(workspace.key);
  const setup = async () =>
    dataOf<{ setupStatus: object }>(await api().get(`/v1/mailboxes/${mailbox._id}`)).setupStatus;
  const told = async () =>
    dataOf<{ data: object; mailboxId: string }[]>(await api().get('/v1/events?type=mailbox.health_changed'));

  async function work(): Promise<void> {
    await world.platform.tick();
    await world.platform.drain();
  }

  /** The next check by schedule, whenever that is. */
  async function checked(): Promise<void> {
    const { nextCheckAt } = dataOf<{ nextCheckAt: string }>(
      await api().get(`/v1/mailboxes/${mailbox._id}/health/report`),
    );
    world.platform.clock.freeze(new Date(nextCheckAt));
    await work();
  }

  it('is looked at when they are connected, without anybody asking', async () => {
    await work();
    expect(await setup()).toMatchObject({ healthScore: 100, spf: { status: 'pass' } });
  });

  it('is looked at again by itself, and an event tells when a check begins to fail, and when it fails no more', async () => {
    await work();
    world.spf(domain);
    world.platform.clock.advance(HOUR);
    await checked();
    expect(await setup()).toMatchObject({ healthScore: 70, spf: { status: 'fail' } });
    expect(await told()).toMatchObject([{ mailboxId: mailbox._id, data: { check: 'spf', from: 'pass', to: 'fail' } }]);
    world.spf(domain, 'v=spf1 ip4:192.0.2.1 -all');
    await checked();
    expect(await told()).toMatchObject([
      { data: { check: 'spf', from: 'fail', to: 'pass', healthScore: 100 } },
      { data: { check: 'spf', from: 'pass', to: 'fail', healthScore: 70 } },
    ]);
  });

  it('is looked at all the same when Redis has forgotten everything', async () => {
    await work();
    const { client } = world.platform.app.get(RedisClient);
    const keys = await client.keys(`*${world.platform.config.queuePrefix}*mailbox-health*`);
    expect(keys.length).toBeGreaterThan(0);
    await client.del(...keys);
    world.spf(domain);
    world.platform.clock.advance(HOUR);
    await checked();
    expect(await setup()).toMatchObject({ spf: { status: 'fail' } });
  });

  it('decides whether a campaign starts', async () => {
    world.spf(domain);
    await work();
    const { _id } = await readyCampaign(world.platform, workspace);
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
