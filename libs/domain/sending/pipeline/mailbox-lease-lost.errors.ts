import { LeaseLostError } from '@platform/database';

/** Another worker holds the mailbox lease: nothing was written, and that worker recovers. */
export class MailboxLeaseLostError extends LeaseLostError {}
