/** Query parameters as received. */
export type CallbackParameters = Readonly<Record<string, unknown>>;

/** The authorization code of a callback, or the reason for its absence. */
export type ReturnedCode =
  | { readonly code: string }
  | {
      readonly code: null;
      /** `denied`: the person did not consent. */
      readonly why: 'denied' | 'failed';
      readonly message: string;
    };

/** Longer than any vendor's code. */
const MAX_CODE = 4_096;

/** Reads the authorization response of a vendor (RFC 6749, 4.1.2). */
export function returnedCode({ code, error }: CallbackParameters): ReturnedCode {
  if (error === 'access_denied' || error === 'consent_required') {
    return { code: null, why: 'denied', message: 'Consent was not given' };
  }
  // Anyone can craft the URL: only text in the form of an RFC 6749 error is repeated.
  const reason = typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? ` (${error})` : '';
  if (error !== undefined) {
    return { code: null, why: 'failed', message: `The vendor aborted the authorization${reason}; start again` };
  }
  if (typeof code === 'string' && code !== '' && code.length <= MAX_CODE) return { code };
  return { code: null, why: 'failed', message: 'The vendor sent no code; start again' };
}
