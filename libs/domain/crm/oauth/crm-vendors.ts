import { type CrmConsent, type CrmDriver, type CrmType } from '@adapters/crm';
import { consentNotConfigured } from '@domain/oauth';
import { type Config } from '@platform/config';

/** The registration of this installation at a vendor. */
export interface CrmVendor {
  readonly type: CrmType;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  /** The API address of accounts without their own one. */
  readonly apiUrl: string;
  /** null when the vendor offers keys only. */
  readonly consent: CrmConsent | null;
}

/** A vendor with OAuth consent. */
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

/** @throws INTEGRATION_OAUTH_NOT_CONFIGURED without a registered client or without consent at this vendor */
export function requireConsentVendor(config: Config, driver: Pick<CrmDriver, 'type' | 'consent'>): ConsentVendor {
  const { consent, ...vendor } = getCrmVendor(config, driver);
  if (consent === null || vendor.clientId === '') throw consentNotConfigured(vendor.type);
  return { ...vendor, consent };
}

/** The redirect URI, which has to be registered at the vendor. */
export function getCrmRedirectUri({ publicUrl }: Config, type: CrmType): string {
  return `${publicUrl.replace(/\/+$/, '')}/oauth/crm/${type}/callback`;
}
