import { type ConnectionState, type MailboxStatus } from './schemas/mailbox.record';

const OF_STATE: Record<ConnectionState, MailboxStatus> = {
  connected: 'active',
  degraded: 'error',
  disconnected: 'disconnected',
  needs_reauthorisation: 'disconnected',
};

/**
 * The status that users see. Every write of `pausedAt` or `connection.state` writes the status in the same update. A
 * pause hides the state of the connection.
 */
export function getMailboxStatus(paused: boolean, state: ConnectionState): MailboxStatus {
  return paused ? 'paused' : OF_STATE[state];
}
