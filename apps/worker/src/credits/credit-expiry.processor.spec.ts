import { type CreditsService } from '@domain/credits';
import { CreditExpiryProcessor } from './credit-expiry.processor';

const processorOver = (expire: (limit: number) => Promise<number>) =>
  new CreditExpiryProcessor({ expire } as Partial<CreditsService> as CreditsService);

describe('CreditExpiryProcessor', () => {
  it('continues until a batch is not full', async () => {
    const expire = jest.fn().mockResolvedValueOnce(100).mockResolvedValueOnce(100).mockResolvedValueOnce(7);
    await processorOver(expire).handle({}, new AbortController().signal);
    expect(expire.mock.calls).toEqual([[100], [100], [100]]);
  });

  it('stops between two batches when its signal is aborted', async () => {
    const stop = new AbortController();
    const expire = jest.fn().mockImplementation(() => Promise.resolve(stop.abort()).then(() => 100));
    await processorOver(expire).handle({}, stop.signal);
    expect(expire).toHaveBeenCalledTimes(1);
  });

  it('fails when a reservation cannot be released, so that the job is retried', async () => {
    const expire = jest.fn().mockRejectedValue(new Error('broken account'));
    await expect(processorOver(expire).handle({}, new AbortController().signal)).rejects.toThrow('broken account');
  });
});
