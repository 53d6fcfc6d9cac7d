import { type CrmDialect, getStatusReason } from '../http/crm-dialect';
import { parseAttioFault, toAttioReason, getUnknownAttribute } from './attio.errors';

/** `Retry-After` states the end of a limit as a date (https://docs.attio.com/rest-api/guides/rate-limiting). The base class reads it. */
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
  // Attio reports a limit only after it is reached.
  getCooldownMs: () => null,
};
