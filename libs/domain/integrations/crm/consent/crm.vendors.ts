import { CRM_CONSENTS, type CrmConsent, type CrmType } from '@adapters/crm';
import { type Config } from '@platform/config';
import { consentNotConfigured } from '../../consent/consent.errors';

/** What a vendor and this installation know of each other. */
export interface CrmVendor {
  readonly type: CrmType;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  /** Where the API of accounts begins that have no address of their own. */
  readonly apiUrl: string;
  readonly consent: CrmConsent;
}

export function crmVendor(config: Config, type: CrmType): CrmVendor {
  return {
    type,
    clientId: config[`${type}ClientId`],
    clientSecret: config[`${type}ClientSecret`],
    authUrl: config[`${type}AuthUrl`],
    tokenUrl: config[`${type}TokenUrl`],
    apiUrl: config[`${type}ApiUrl`],
    consent: CRM_CONSENTS[type],
  };
}

/** @throws INTEGRATION_OAUTH_NOT_CONFIGURED when the operator has registered no client with the vendor */
export function configuredVendor(config: Config, type: CrmType): CrmVendor {
  const vendor = crmVendor(config, type);
  if (vendor.clientId === '') throw consentNotConfigured(type);
  return vendor;
}

/** Where the vendor sends people back to; it has to be registered with it. */
export function crmRedirectUri({ publicUrl }: Config, type: CrmType): string {
  return `${publicUrl.replace(/\/+$/, '')}/oauth/crm/${type}/callback`;
}
