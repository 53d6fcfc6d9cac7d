import { getMailboxStatus } from './mailbox-status';
import { CONNECTION_STATES } from './schemas/mailbox.record';

describe('the status of a mailbox', () => {
  it.each([
    ['connected', 'active'],
    ['degraded', 'error'],
    ['disconnected', 'disconnected'],
    ['needs_reauthorisation', 'disconnected'],
  ] as const)('%s is %s', (state, status) => {
    expect(getMailboxStatus(false, state)).toBe(status);
  });

  it.each(CONNECTION_STATES)('is paused while the mailbox is paused, also when %s', (state) => {
    expect(getMailboxStatus(true, state)).toBe('paused');
  });
});
