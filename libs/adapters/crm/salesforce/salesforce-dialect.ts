import { type CrmAnswer } from '../http/crm-response';
import { type CrmDialect, type CrmFault, getStatusReason } from '../http/crm-dialect';
import {
  getSalesforceFaults,
  toSalesforceReason,
  type SalesforceFault,
  getSentence,
  getUnknownSalesforceField,
} from './salesforce.errors';

/**
 * Wait before the next attempt (milliseconds). Requests are counted over the last 24 hours, so capacity returns continuously ("API Request
 * Limits and Allocations").
 */
const QUOTA_COOLDOWN_MS = 15 * 60_000;

/** The dialect of Salesforce (REST API Developer Guide, "Headers", "Status Codes and Error Responses"). */
export const SALESFORCE_DIALECT: CrmDialect = {
  vendor: 'Salesforce',
  authorisation: (secret) => ({ authorization: `Bearer ${secret}` }),
  getFault: ({ status, json }: CrmAnswer) => {
    const [fault] = getSalesforceFaults(json);
    return fault ? getSalesforceCallFault(fault, status) : null;
  },
  getCooldownMs: ({ headers }: CrmAnswer) => (isUsedUp(headers['sforce-limit-info']) ? QUOTA_COOLDOWN_MS : null),
};

/** Classifies a fault for the whole call. */
export function getSalesforceCallFault(fault: SalesforceFault, status: number): CrmFault {
  const reason = toSalesforceReason(fault) ?? getStatusReason(status);
  const retryAfterMs = reason === 'quota' ? QUOTA_COOLDOWN_MS : null;
  return { reason, sentence: getSentence(fault), field: getUnknownSalesforceField(fault), retryAfterMs };
}

/** `api-usage=10018/100000; …`: used and allowed requests. */
function isUsedUp(header = ''): boolean {
  const [, used, most] = /api-usage=(\d+)\/(\d+)/.exec(header) ?? [];
  return used !== undefined && Number(used) >= Number(most);
}
