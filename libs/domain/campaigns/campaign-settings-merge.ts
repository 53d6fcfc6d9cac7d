import { invalidField } from '@platform/errors';
import { CAMPAIGN_SETTINGS } from './campaign-defaults';
import { type LeadVerificationPolicy } from './campaign-verification';
import {
  type CampaignSettings,
  type LeadVerificationRequest,
  type SendingScheduleRequest,
} from './dto/campaign-requests.dto';
import { type CampaignRecord, type CampaignSchedule } from './schemas/campaign.record';

/** Picks the defined settings; null is a value. */
export function pickDefined(input: CampaignSettings): Partial<CampaignRecord> {
  return Object.fromEntries(
    CAMPAIGN_SETTINGS.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  ) as Partial<CampaignRecord>;
}

/**
 * Merges a partial schedule into another. A window may end before it begins: then it ends on the day
 * after.
 * @throws VALIDATION_ERROR for a window that ends when it begins
 */
export function scheduleWith(
  schedule: CampaignSchedule,
  input: Partial<SendingScheduleRequest> | undefined,
): CampaignSchedule {
  const { timezone, startTime, endTime, workingDays } = { ...schedule, ...input };
  if (startTime === endTime) {
    const message = 'sendingSchedule.endTime must differ from startTime; from 00:00 to 23:59 is the whole day';
    throw invalidField('sendingSchedule.endTime', message);
  }
  return { timezone, startTime, endTime, workingDays: workingDays.toSorted((one, other) => one - other) };
}

/** Merges a partial verification policy into another. */
export function verificationWith(
  policy: LeadVerificationPolicy,
  input: LeadVerificationRequest,
): LeadVerificationPolicy {
  const { mode, invalid, risky, catchAll, unknown, noCredits } = { ...policy, ...withoutGaps(input) };
  return { mode, invalid, risky, catchAll, unknown, noCredits };
}

/** A field that was left out is there with `undefined` once the body was read into its class. */
function withoutGaps(input: LeadVerificationRequest): Partial<LeadVerificationPolicy> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
