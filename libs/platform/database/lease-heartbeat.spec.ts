import { LeaseHeartbeat } from './lease-heartbeat';
import { LeaseLostError } from './lease-lost.errors';

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
    expect(heartbeat.signal.reason).toEqual(new LeaseLostError());
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

  it('aborts when the database has not answered for ten seconds', async () => {
    const heartbeat = new LeaseHeartbeat(() => new Promise(() => {}), FOREVER);
    await jest.advanceTimersByTimeAsync(9_999);
    expect(heartbeat.isExpired).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(heartbeat.signal.aborted).toBe(true);
    heartbeat.end();
  });

  it('counts these ten seconds from the start of the renewal, not from its answer', async () => {
    const renew = jest.fn().mockImplementation(() => new Promise(() => {}));
    const answer = Promise.withResolvers<boolean>();
    renew.mockReturnValueOnce(answer.promise);
    const heartbeat = new LeaseHeartbeat(renew, FOREVER);
    await jest.advanceTimersByTimeAsync(7_000); // begun at 4 s
    answer.resolve(true);
    await jest.advanceTimersByTimeAsync(6_999);
    expect(heartbeat.isExpired).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(heartbeat.isExpired).toBe(true);
    heartbeat.end();
  });

  it('beats at the same time as all others of the process, so that one command can renew them', async () => {
    const beats: number[] = [];
    const start = performance.now();
    const renew = () => Promise.resolve(beats.push(performance.now() - start) > 0);
    const first = new LeaseHeartbeat(renew, FOREVER);
    await jest.advanceTimersByTimeAsync(1_500);
    const second = new LeaseHeartbeat(renew, FOREVER);
    await jest.advanceTimersByTimeAsync(2_500);
    expect(beats).toEqual([4_000, 4_000]);
    first.end();
    second.end();
    expect(jest.getTimerCount()).toBe(0);
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
