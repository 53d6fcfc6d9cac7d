import { type CrmDialect, reasonOfStatus } from '../http/crm-dialect';
import { faultIn, getReason, getUnknownAttribute } from './attio.errors';

/** When a limit ends is told as the date of `Retry-After` (https://docs.attio.com/rest-api/guides/rate-limiting), which the base reads. */
export const ATTIO: CrmDialect = {
  vendor: 'Attio',
  authorisation: (secret) => ({ authorization: `Bearer ${secret}` }),
  faultOf: ({ status, json }) => {
    const fault = faultIn(status, json);
    if (fault === null) return null;
    return {
      reason: getReason(fault) ?? reasonOfStatus(status),
      sentence: fault.message || fault.code,
      field: getUnknownAttribute(fault),
    };
  },
  // Nothing is told before a limit is reached.
  restMs: () => null,
};
