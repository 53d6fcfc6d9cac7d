import { type CrmConsent, type CrmDriver, type CrmType } from '@adapters/crm';
import { consentNotConfigured } from '@domain/oauth';
import { type Config } from '@platform/config';

/** What a vendor and this installation know of each other. */
export interface CrmVendor {
  readonly type: CrmType;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  /** Where the API of accounts begins that have no address of their own. */
  readonly apiUrl: string;
  /** null where a key is the only way in. */
  readonly consent: CrmConsent | null;
}

/** A vendor at which people consent. */
export type ConsentVendor = CrmVendor & { readonly consent: CrmConsent };

export function getCrmVendor(config: Config, { type, consent }: Pick<CrmDriver, 'type' | 'consent'>): CrmVendor {
  return {
    type,
    clientId: config[`${type}ClientId`],
    clientSecret: config[`${type}ClientSecret`],
    authUrl: config[`${type}AuthUrl`],
    tokenUrl: config[`${type}TokenUrl`],
    apiUrl: config[`${type}ApiUrl`],
    consent,
  };
}

/** @throws INTEGRATION_OAUTH_NOT_CONFIGURED when the operator has registered no client with the vendor, or nobody can consent there */
export function requireConsentVendor(config: Config, driver: Pick<CrmDriver, 'type' | 'consent'>): ConsentVendor {
  const { consent, ...vendor } = getCrmVendor(config, driver);
  if (consent === null || vendor.clientId === '') throw consentNotConfigured(vendor.type);
  return { ...vendor, consent };
}

/** Where the vendor sends people back to; it has to be registered with it. */
export function getCrmRedirectUri({ publicUrl }: Config, type: CrmType): string {
  return `${publicUrl.replace(/\/+$/, '')}/oauth/crm/${type}/callback`;
}
