import { type ConnectionState, type MailboxStatus } from './schemas/mailbox.record';

const OF_STATE: Record<ConnectionState, MailboxStatus> = {
  connected: 'active',
  degraded: 'error',
  disconnected: 'disconnected',
  needs_reauthorisation: 'disconnected',
};

/**
 * What a mailbox is for its users. Whoever writes `pausedAt` or `connection.state` writes the status in the same update.
 * A pause hides how the connection stands; it shows again after it.
 */
export function getStatus(paused: boolean, state: ConnectionState): MailboxStatus {
  return paused ? 'paused' : OF_STATE[state];
}
