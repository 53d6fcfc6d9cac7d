import { getVerificationRetryMs } from './retry';
import { type VerificationReason } from './verdict-reasons';

const MINUTE_MS = 60_000;

it.each<[VerificationReason, number | null, number, number | null]>([
  ['greylisted', null, 0, 5 * MINUTE_MS],
  ['greylisted', null, 1, 10 * MINUTE_MS],
  ['greylisted', null, 3, 40 * MINUTE_MS],
  ['greylisted', null, 30, 60 * MINUTE_MS],
  ['greylisted', 90 * MINUTE_MS, 0, 90 * MINUTE_MS],
  ['greylisted', MINUTE_MS, 0, 5 * MINUTE_MS],
  ['dns_no_answer', null, 0, 5 * MINUTE_MS],
  ['out_of_time', null, 0, 5 * MINUTE_MS],
  ['refused_us', null, 0, null],
  ['server_protocol', 5 * MINUTE_MS, 0, null],
  ['mailbox_not_asked', null, 0, null],
])('%s, requested after %s, with %d earlier attempts: %s', (reason, wantedMs, attempts, waitMs) => {
  expect(getVerificationRetryMs([reason], wantedMs, attempts)).toBe(waitMs);
});
