import { type TransactionService } from '@platform/database';
import { MetricsService } from '@platform/observability';
import { RunLimitService } from './run-limit.service';

const FOREVER = new AbortController().signal;

describe('RunLimitService', () => {
  let endTransaction: (durationMs: number) => void;
  let metrics: MetricsService;
  let limits: RunLimitService;

  beforeEach(() => {
    const transactions = { onEnd: (listener: typeof endTransaction) => (endTransaction = listener) };
    metrics = new MetricsService();
    limits = new RunLimitService(transactions as unknown as TransactionService, metrics);
    limits.onModuleInit();
  });

  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const allowed = async () => {
    const { values } = await metrics.runsAllowed.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.queue, value]));
  };

  it('allows the concurrency of each queue of work partitions, and half of it while transactions are slow', async () => {
    expect(await allowed()).toMatchObject({ 'mailbox-send': 50, 'webhook-work': 200, 'crm-work': 20 });
    for (let index = 0; index < 20; index += 1) endTransaction(2_000);
    expect(await allowed()).toMatchObject({ 'mailbox-send': 25, 'webhook-work': 100, 'crm-work': 10 });
    expect([limits.getAllowed('mailbox-send'), limits.getAllowed('mail-intake')]).toEqual([25, null]);
  });

  it('lets the runs above the limit wait, and bounds no other queue', async () => {
    for (let index = 0; index < 20; index += 1) endTransaction(2_000);
    let running = 0;
    const never = () => {
      running += 1;
      return new Promise<void>(() => {});
    };
    for (let index = 0; index < 30; index += 1) void limits.run('mailbox-send', `workspace-${index}`, FOREVER, never);
    await settle();
    expect(running).toBe(25);
    for (let index = 0; index < 30; index += 1) void limits.run('mail-intake', 'workspace', FOREVER, never);
    await settle();
    expect(running).toBe(55);
  });
});
