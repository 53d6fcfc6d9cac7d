import { type ErrorDetail, validationFailed } from '@platform/errors';
import { type UpdateWarmupRequest } from '../dto/warmup-requests.dto';
import { type WarmupConfig } from '../schemas/warmup.record';

const SHORTEST_WINDOW_MINUTES = 60;

/** Returns the settings after a request. @throws VALIDATION_ERROR naming each field that contradicts another */
export function applyChanges(before: WarmupConfig, { replyRates, ...request }: UpdateWarmupRequest): WarmupConfig {
  const config: WarmupConfig = {
    ...before,
    ...omitUndefined(request),
    replyRates: {
      inbox: { ...before.replyRates.inbox, ...omitUndefined(replyRates?.inbox) },
      promotions: { ...before.replyRates.promotions, ...omitUndefined(replyRates?.promotions) },
      spam: replyRates?.spam ?? before.replyRates.spam,
    },
  };
  const details = listContradictions(config);
  if (details.length > 0) throw validationFailed(details);
  return config;
}

function listContradictions({
  startingVolume,
  targetVolume,
  replyRates,
  windowStart,
  windowEnd,
}: WarmupConfig): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const refuse = (field: string, message: string) => details.push({ field, message: `${field} ${message}` });
  if (startingVolume > targetVolume) {
    refuse('startingVolume', `must not be more than targetVolume (${startingVolume}, ${targetVolume})`);
  }
  for (const place of ['inbox', 'promotions'] as const) {
    const { min, max } = replyRates[place];
    if (min > max) refuse(`replyRates.${place}.min`, `must not be more than max (${min}, ${max})`);
  }
  if (toMinutes(windowEnd) < toMinutes(windowStart) + SHORTEST_WINDOW_MINUTES) {
    refuse('windowEnd', `must be at least an hour later than windowStart (${windowStart}, ${windowEnd})`);
  }
  return details;
}

function toMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Omits undefined fields. */
function omitUndefined<T extends object>(fields: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>;
}
