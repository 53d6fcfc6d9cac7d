/** Upper bound: a day. */
const LONGEST_MS = 86_400_000;

/**
 * Returns the milliseconds of a Retry-After header (RFC 9110, 10.2.3: seconds or a date), at most a day; null without one. A
 * date is compared with the response's own Date, so that a wrong clock of this machine does not matter.
 */
export function retryAfterMs(
  header: string | string[] | undefined,
  date: string | string[] | undefined,
): number | null {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!value) return null;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - getSentTime(date);
  return Number.isFinite(ms) ? Math.min(Math.max(Math.ceil(ms), 0), LONGEST_MS) : null;
}

function getSentTime(date: string | string[] | undefined): number {
  const at = Date.parse((Array.isArray(date) ? date[0] : date) ?? '');
  return Number.isFinite(at) ? at : Date.now();
}
