import { defineHook } from '@platform/hooks';

/** New mail was stored for this mailbox. */
export interface Arrival {
  readonly workspaceId: string;
  readonly mailboxId: string;
}

/** Processes new mail. */
export interface MailArrivalListener {
  /** Speeds up processing. It must not delay reading or throw: the mail is stored, and a sweep finds it. */
  arrived(arrival: Arrival): Promise<void>;
}

/** Called after new mail is stored. */
export const MAIL_ARRIVAL = defineHook<MailArrivalListener>('mail-arrival', { listeners: 'one' });
