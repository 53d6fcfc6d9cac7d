import { TestReceiver } from '../../libs/domain/webhooks/testing';
import { expectFormB, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { type Delivery, Hook, subscribing } from './webhooks';

const METADATA = 'http://169.254.169.254/latest/meta-data/';

describe('where webhooks may lead', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let receiver: TestReceiver;

  afterEach(async () => {
    await platform.close();
    await receiver.close();
  });
  async function start(OUTBOUND_ALLOW_PRIVATE: string, address?: string): Promise<void> {
    receiver = await TestReceiver.start(address);
    platform = await startPlatform({ worker: true, env: { OUTBOUND_ALLOW_PRIVATE } });
    workspace = await platform.seed.workspace();
  }
  const refused = async (url: string): Promise<void> => {
    const body = subscribing({ url });
    expectFormB(await platform.api.as(workspace.key).post('/v1/webhooks').send(body), 400, 'VALIDATION_ERROR', 'url');
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

  it('is into no private network, under no name and in no spelling, unless the operator says so', async () => {
    await start('false');
    for (const host of [
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '10.0.0.1',
      '１２７.1',
    ]) {
      await refused(at(host));
    }
    await refused(METADATA);
    // That a name leads inside is known when it is looked up.
    const { state, lastStatus, lastError } = await delivered('localhost');
    expect({ state, lastStatus }).toEqual({ state: 'failed', lastStatus: null });
    expect(['address_refused', 'dns']).toContain(lastError?.code);
    expect(receiver.received).toEqual([]);
  });

  it('is into every private network when he opens all of them, but never to a metadata service', async () => {
    await start('true');
    await refused(METADATA);
    expect((await delivered('localhost')).state).toBe('delivered');
    expect((await delivered('127.0.0.1')).state).toBe('delivered');
    // The second event is for both webhooks.
    expect(new Set(receiver.received.map(({ headers }) => headers.host?.split(':')[0]))).toEqual(
      new Set(['localhost', '127.0.0.1']),
    );
  });

  it('is into the networks that he lists and no others, also not by a name that leads there', async () => {
    await start('10.0.0.0/8,127.0.0.2/32', '127.0.0.2');
    expect((await delivered('127.0.0.2')).state).toBe('delivered');
    for (const url of [at('127.0.0.1'), at('127.0.0.3'), at('192.168.0.1'), METADATA]) await refused(url);
    expect(await delivered('localhost')).toMatchObject({ state: 'failed', lastError: { code: 'address_refused' } });
    // Both events are for the first webhook.
    expect(receiver.received.map(({ headers }) => headers.host?.split(':')[0])).toEqual(['127.0.0.2', '127.0.0.2']);
  });
});
