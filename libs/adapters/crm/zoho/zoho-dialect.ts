import { type CrmDialect, getStatusReason } from '../http/crm-dialect';
import { parseZohoAnswer, getCredits, getReason, getUnknownColumn } from './zoho.errors';

/**
 * Cooldown of an account without credits (milliseconds). Each credit returns a day after its use
 * (https://www.zoho.com/crm/developer/docs/api/v8/api-limits.html), and no response states when.
 */
const NO_CREDITS_COOLDOWN_MS = 900_000;

export const ZOHO: CrmDialect = {
  vendor: 'Zoho',
  authorisation: (secret) => ({ authorization: `Zoho-oauthtoken ${secret}` }),
  getFault: ({ status, headers, json }) => {
    const answer = parseZohoAnswer(json);
    const reason = getReason(answer, status, getCredits(headers['x-api-credits-remaining'])) ?? getStatusReason(status);
    return {
      reason,
      sentence: answer === null ? '' : answer.message || answer.code,
      field: answer && getUnknownColumn(answer),
      retryAfterMs: reason === 'quota' ? NO_CREDITS_COOLDOWN_MS : null,
    };
  },
  getCooldownMs: ({ headers }) =>
    getCredits(headers['x-api-credits-remaining']) === 0 ? NO_CREDITS_COOLDOWN_MS : null,
};
