import { ATTIO_CONSENT } from './attio/attio.consent';
import { CLOSE_CONSENT } from './close/close.consent';
import { HUBSPOT_CONSENT } from './hubspot/hubspot.consent';
import { PIPEDRIVE_CONSENT } from './pipedrive/pipedrive.consent';
import { type CrmConsent } from './port/crm.consent';
import { type CrmType } from './port/crm.type';
import { SALESFORCE_CONSENT } from './salesforce/salesforce.consent';
import { ZOHO_CONSENT } from './zoho/zoho.consent';

/** What the vendors' documents say of consent. */
export const CRM_CONSENTS: Readonly<Record<CrmType, CrmConsent>> = {
  hubspot: HUBSPOT_CONSENT,
  salesforce: SALESFORCE_CONSENT,
  pipedrive: PIPEDRIVE_CONSENT,
  zoho: ZOHO_CONSENT,
  close: CLOSE_CONSENT,
  attio: ATTIO_CONSENT,
};
