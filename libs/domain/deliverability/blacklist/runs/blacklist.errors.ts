import { defineError } from '@platform/errors';

/** The test was cancelled or deleted, or somebody else goes on with it. */
export class BlacklistTestSupersededError extends Error {
  override readonly name = 'TestMoved';
}

/** Codes in the `error` of a test that failed. */
export const BLACKLISTS_SILENT = defineError(
  'BLACKLISTS_SILENT',
  'unprocessable',
  'No blacklist said anything about any mailbox; the resolver may be down or refused. In the `error` of a blacklist test.',
);
export const BLACKLIST_TEST_STUCK = defineError(
  'BLACKLIST_TEST_STUCK',
  'unprocessable',
  'The test was tried again and again without getting on. In the `error` of a blacklist test.',
);
export const MAILBOXES_DELETED = defineError(
  'MAILBOXES_GONE',
  'unprocessable',
  'All mailboxes were deleted before their turn came. In the `error` of a blacklist test.',
);
