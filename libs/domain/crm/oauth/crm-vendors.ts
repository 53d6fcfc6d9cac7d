import { type CrmConsent, type CrmDriver, type CrmType } from '@adapters/crm';
import { consentNotConfigured } from '@domain/oauth';
import { type Config } from '@platform/config';
import { type OAuthVendor } from '@platform/oauth';

/** The registration of this installation at a vendor. */
export interface CrmVendor {
  readonly type: CrmType;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  /** The API address of accounts without their own one. */
  readonly apiUrl: string;
  readonly redirectUri: string;
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
    redirectUri: `${config.publicUrl.replace(/\/+$/, '')}/oauth/crm/${type}/callback`,
    consent,
  };
}

/** @throws INTEGRATION_OAUTH_NOT_CONFIGURED without a registered client or without consent at this vendor */
export function requireConsentVendor(config: Config, driver: Pick<CrmDriver, 'type' | 'consent'>): ConsentVendor {
  const { consent, ...vendor } = getCrmVendor(config, driver);
  if (consent === null || vendor.clientId === '') throw consentNotConfigured(vendor.type);
  return { ...vendor, consent };
}

/** The vendor for the OAuth client, with the addresses of one account. */
export function toOAuthVendor(
  { consent, ...vendor }: ConsentVendor,
  addresses: Partial<Pick<OAuthVendor, 'authUrl' | 'tokenUrl'>>,
): OAuthVendor {
  return { ...consent, ...vendor, ...addresses };
}
