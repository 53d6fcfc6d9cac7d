/** The supported CRMs; the names are the keys of `GET /v1/integrations` in the API contract. */
export const CRM_TYPES = ['hubspot', 'salesforce', 'pipedrive', 'zoho', 'close', 'attio'] as const;
export type CrmType = (typeof CRM_TYPES)[number];

export function isCrmType(text: string): text is CrmType {
  return (CRM_TYPES as readonly string[]).includes(text);
}
