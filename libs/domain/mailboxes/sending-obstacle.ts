import { type MailboxRecord } from './schemas/mailbox.record';

export type ObstacleReason = 'paused' | 'disconnected' | 'error' | 'sending_disabled';

/** Why a mailbox sends nothing. `message` continues its address: "ada@example.com is paused". */
export interface SendingObstacle {
  readonly reason: ObstacleReason;
  readonly message: string;
}

/** Returns what stops a stored mailbox from sending; null when nothing does. Limits are no obstacle. */
export function findSendingObstacle({
  status,
  sendingEnabled,
  connection,
}: Pick<MailboxRecord, 'status' | 'sendingEnabled' | 'connection'>): SendingObstacle | null {
  if (status === 'paused') return { reason: 'paused', message: 'is paused' };
  if (status === 'disconnected') {
    const isPersons = connection.state === 'needs_reauthorisation';
    return { reason: 'disconnected', message: isPersons ? 'has to be connected again' : 'is disconnected' };
  }
  if (status === 'error') return { reason: 'error', message: 'cannot be reached at the moment' };
  return sendingEnabled ? null : { reason: 'sending_disabled', message: 'is set not to send (sendingEnabled)' };
}
