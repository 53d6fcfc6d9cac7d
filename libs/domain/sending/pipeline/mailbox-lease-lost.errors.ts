/** Somebody else has the mailbox's turn: nothing was written, and that turn cleans up. */
export class MailboxLeaseLostError extends Error {}
