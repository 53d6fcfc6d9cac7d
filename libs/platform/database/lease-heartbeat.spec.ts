import { LeaseHeartbeat } from './lease-heartbeat';

const FOREVER = new AbortController().signal;

describe('LeaseHeartbeat', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  it('renews every four seconds until it ends', async () => {
    const renew = jest.fn().mockResolvedValue(true);
    const heartbeat = new LeaseHeartbeat(renew, FOREVER);
    await jest.advanceTimersByTimeAsync(12_000);
    heartbeat.end();
    await jest.advanceTimersByTimeAsync(12_000);
    expect(renew).toHaveBeenCalledTimes(3);
    expect(heartbeat.signal.aborted).toBe(false);
  });

  it('aborts at once when another worker holds the lease', async () => {
    const heartbeat = new LeaseHeartbeat(() => Promise.resolve(false), FOREVER);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(heartbeat.isExpired).toBe(true);
    expect(heartbeat.signal.reason).toEqual(new Error('The lease has expired'));
    heartbeat.end();
  });

  it('survives a failed renewal, and aborts when none has succeeded for ten seconds', async () => {
    const renew = jest.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce(true);
    renew.mockRejectedValue(new Error('away'));
    const heartbeat = new LeaseHeartbeat(renew, FOREVER);
    await jest.advanceTimersByTimeAsync(16_000); // succeeded at 8 s
    expect(heartbeat.isExpired).toBe(false);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(heartbeat.isExpired).toBe(true);
    heartbeat.end();
  });

  it('aborts with the process, which does not lose the lease', () => {
    const stopping = new AbortController();
    const heartbeat = new LeaseHeartbeat(() => Promise.resolve(true), stopping.signal);
    stopping.abort(new Error('The worker is stopping'));
    expect(heartbeat.signal.reason).toEqual(new Error('The worker is stopping'));
    expect(heartbeat.isExpired).toBe(false);
    heartbeat.end();
  });
});
