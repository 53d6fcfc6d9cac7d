import { TestReceiver } from '../../libs/domain/webhooks/testing';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform, startPlatform } from '../harness';
import { dataOf } from '../workspaces/people';
import { type Delivery } from './webhook-responses';
import { Hook, subscribing } from './webhooks';

const METADATA = 'http://169.254.169.254/latest/meta-data/';

describe('the allowed addresses of webhooks', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let receiver: TestReceiver;

  afterEach(async () => {
    await platform.close();
    await receiver.close();
  });
  async function begin(starting: Promise<Platform>, address?: string): Promise<void> {
    receiver = await TestReceiver.start(address);
    platform = await starting;
    workspace = await platform.seed.workspace();
  }
  const post = (url: string) => platform.api.as(workspace.key).post('/v1/webhooks').send(subscribing({ url }));
  const refused = async (url: string): Promise<void> => {
    const { status } = await post(url);
    expect({ url, status }).toEqual({ url, status: 400 });
  };
  /** The receiver of this machine, under a name or another address of it. */
  const at = (host: string): string => receiver.url.replace(/127\.0\.0\.\d/, host);
  async function delivered(host: string): Promise<Delivery> {
    const hook = await Hook.make(platform, workspace, { url: at(host), retryAttempts: 0 });
    await hook.happen();
    await hook.deliver();
    const [delivery] = await hook.deliveries();
    return delivery!;
  }

  it('exclude private networks, by any name and notation, unless the operator allows them', async () => {
    await begin(startPlatform({ env: { OUTBOUND_ALLOW_PRIVATE: 'false' } }));
    expectFormB(await post('http://127.0.0.1/'), 400, 'VALIDATION_ERROR', 'url');
    const hosts = [
      '127.0.0.1',
      '127.0.0.1.',
      '127.1',
      '0x7f.1',
      '0177.0.0.1',
      '2130706433',
      '１２７.0.0.1',
      '0.0.0.0',
      '10.0.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[fd00::1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ];
    for (const host of hosts) {
      await refused(`http://${host}/`);
      await refused(at(host));
    }
    await refused(METADATA);
    for (const url of ['https://example.com/hook', 'http://93.184.216.34/', 'https://localhost.example.com:8443/']) {
      const { status } = await post(url);
      expect({ url, status }).toEqual({ url, status: 201 });
    }
    // The look-up shows that the name resolves to a private network.
    const hook = await Hook.make(platform, workspace, { url: at('localhost') });
    const tested = dataOf<{ error: { code: string } }>(await hook.api.post(`${hook.path}/test`).send({}).expect(200));
    expect(tested).toMatchObject({ delivered: false, status: null, response: '' });
    expect(['address_refused', 'dns']).toContain(tested.error.code);
    expect(receiver.received).toEqual([]);
  });

  it('include all private networks if the operator allows them, but never a metadata service', async () => {
    await begin(sharedPlatform({ worker: true })); // OUTBOUND_ALLOW_PRIVATE=true, as in all tests
    await refused(METADATA);
    expect((await delivered('localhost')).state).toBe('delivered');
    expect((await delivered('127.0.0.1')).state).toBe('delivered');
    // The second event is for both webhooks.
    expect(new Set(receiver.received.map(({ headers }) => headers.host?.split(':')[0]))).toEqual(
      new Set(['localhost', '127.0.0.1']),
    );
  });

  it('include the listed networks only, also for names that resolve to them', async () => {
    const env = { OUTBOUND_ALLOW_PRIVATE: '10.0.0.0/8,127.0.0.2/32' };
    await begin(startPlatform({ worker: true, env }), '127.0.0.2');
    expect((await delivered('127.0.0.2')).state).toBe('delivered');
    for (const url of [at('127.0.0.1'), at('127.0.0.3'), at('192.168.0.1'), METADATA]) await refused(url);
    const { state, lastStatus, lastError } = await delivered('localhost');
    expect({ state, lastStatus, code: lastError?.code }).toEqual({
      state: 'failed',
      lastStatus: null,
      code: 'address_refused',
    });
    // Both events are for the first webhook.
    expect(receiver.received.map(({ headers }) => headers.host?.split(':')[0])).toEqual(['127.0.0.2', '127.0.0.2']);
  });
});
