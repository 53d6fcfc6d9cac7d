import { type OpenedConsent } from '@domain/oauth';
import { getAuthUrl } from './crm-addresses';
import { type ConsentVendor } from './crm-vendors';

/** The consent address at the vendor (RFC 6749, 4.1.1; RFC 7636, 4.3). Pure. */
export function createConsentUrl(
  vendor: ConsentVendor,
  redirectUri: string,
  { record, state, challenge }: Pick<OpenedConsent, 'state' | 'challenge'> & { record: { site: string | null } },
): string {
  const { consent, clientId } = vendor;
  const url = new URL(getAuthUrl(vendor, record.site));
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    state,
    ...(consent.scopes.length > 0 && { scope: consent.scopes.join(consent.scopeSeparator) }),
    ...(consent.hasProofKey && { code_challenge: challenge, code_challenge_method: 'S256' }),
    ...consent.authParameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
