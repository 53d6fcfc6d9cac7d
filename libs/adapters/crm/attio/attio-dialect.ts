import { type CrmDialect, getStatusReason } from '../http/crm-dialect';
import { parseAttioFault, toAttioReason, getUnknownAttribute } from './attio.errors';

/** When a limit ends is told as the date of `Retry-After` (https://docs.attio.com/rest-api/guides/rate-limiting), which the base reads. */
export const ATTIO: CrmDialect = {
  vendor: 'Attio',
  authorisation: (secret) => ({ authorization: `Bearer ${secret}` }),
  getFault: ({ status, json }) => {
    const fault = parseAttioFault(status, json);
    if (fault === null) return null;
    return {
      reason: toAttioReason(fault) ?? getStatusReason(status),
      sentence: fault.message || fault.code,
      field: getUnknownAttribute(fault),
    };
  },
  // Nothing is told before a limit is reached.
  getCooldownMs: () => null,
};
