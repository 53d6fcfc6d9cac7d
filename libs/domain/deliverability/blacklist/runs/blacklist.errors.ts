import { defineError } from '@platform/errors';

/** Codes in the `error` of a failed test. */
export const BLACKLISTS_SILENT = defineError(
  'BLACKLISTS_SILENT',
  'unprocessable',
  'No blacklist gave an answer for any mailbox; the resolver may be down or refused. In the `error` of a blacklist test.',
);
export const BLACKLIST_TEST_STUCK = defineError(
  'BLACKLIST_TEST_STUCK',
  'unprocessable',
  'The test was retried repeatedly without progress. In the `error` of a blacklist test.',
);
export const MAILBOXES_DELETED = defineError(
  'MAILBOXES_GONE',
  'unprocessable',
  'All mailboxes were deleted before they were tested. In the `error` of a blacklist test.',
);
