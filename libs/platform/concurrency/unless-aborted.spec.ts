import { unlessAborted } from './unless-aborted';

const REASON = new Error('stopped');
const unsettled = () => new Promise<never>(() => undefined);

describe('unlessAborted', () => {
  it('returns the result of the work, with or without a signal', async () => {
    await expect(unlessAborted(Promise.resolve(1), undefined)).resolves.toBe(1);
    await expect(unlessAborted(Promise.resolve(1), new AbortController().signal)).resolves.toBe(1);
  });

  it('throws the error of the work', async () => {
    const failing = Promise.reject(new Error('failed'));
    await expect(unlessAborted(failing, new AbortController().signal)).rejects.toThrow('failed');
  });

  it('throws the reason of a signal that aborts first', async () => {
    const controller = new AbortController();
    const waiting = unlessAborted(unsettled(), controller.signal);
    controller.abort(REASON);
    await expect(waiting).rejects.toBe(REASON);
  });

  it('throws the reason of a signal that was aborted before, even if the work is done', async () => {
    await expect(unlessAborted(Promise.resolve(1), AbortSignal.abort(REASON))).rejects.toBe(REASON);
  });

  it('throws the reason of a signal that aborts before the result of finished work is delivered', async () => {
    const controller = new AbortController();
    const waiting = unlessAborted(Promise.resolve(1), controller.signal);
    controller.abort(REASON);
    await expect(waiting).rejects.toBe(REASON);
  });

  it('leaves no listener at the signal', async () => {
    const { signal } = new AbortController();
    const removed = jest.spyOn(signal, 'removeEventListener');
    await unlessAborted(Promise.resolve(1), signal);
    expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
  });
});
