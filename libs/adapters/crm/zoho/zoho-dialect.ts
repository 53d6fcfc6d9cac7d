import { type CrmDialect, reasonOfStatus } from '../http/crm-dialect';
import { answerIn, creditsIn, getReason, getUnknownColumn } from './zoho.errors';

/**
 * How long to leave an account alone whose credits are used up (milliseconds). They come back by and by, each a day after it was used
 * (https://www.zoho.com/crm/developer/docs/api/v8/api-limits.html), and nothing says when.
 */
const NO_CREDITS_REST_MS = 900_000;

export const ZOHO: CrmDialect = {
  vendor: 'Zoho',
  authorisation: (secret) => ({ authorization: `Zoho-oauthtoken ${secret}` }),
  faultOf: ({ status, headers, json }) => {
    const answer = answerIn(json);
    const reason = getReason(answer, status, creditsIn(headers['x-api-credits-remaining'])) ?? reasonOfStatus(status);
    return {
      reason,
      sentence: answer === null ? '' : answer.message || answer.code,
      field: answer && getUnknownColumn(answer),
      retryAfterMs: reason === 'quota' ? NO_CREDITS_REST_MS : null,
    };
  },
  restMs: ({ headers }) => (creditsIn(headers['x-api-credits-remaining']) === 0 ? NO_CREDITS_REST_MS : null),
};
