/**
 * A worker marks a message as its last act before the handover. From there to the first byte in the server's log it
 * takes two processes and a socket on busy processors: an act in this time comes too late. Nothing else is tolerated.
 */
export const ON_ITS_WAY_MS = 1_000;

/**
 * The day of an email is decided at its claim. Before its first byte the worker may have to read the mailbox and open a
 * connection: this long after midnight it may belong to the day before.
 */
export const SINCE_THE_CLAIM_MS = 10_000;
