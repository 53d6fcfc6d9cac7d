/**
 * The last act of a worker before it gives a message away is to mark it. From there to the first byte in the log of the
 * server it takes two processes and a socket, on processors that are busy with killing and starting others: whoever forbids
 * the email in this time is too late. Nothing else is tolerated.
 */
export const ON_ITS_WAY_MS = 1_000;

/**
 * What counts with a day is decided when an email is claimed. Until its first byte is with the server the mailbox may have to
 * be read and a connection to be opened: so much after midnight it may belong to the day before.
 */
export const SINCE_THE_CLAIM_MS = 10_000;
