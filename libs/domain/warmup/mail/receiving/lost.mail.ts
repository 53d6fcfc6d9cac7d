/** Reason of a mail that was accepted and never found: it may be found later all the same. */
export const NEVER_FOUND = 'It was accepted, and not found within a day where it was sent to';
