/** Query parameters as they came. */
export type CallbackParameters = Readonly<Record<string, unknown>>;

/** The code of somebody who came back, or why there is none. */
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

/** What a vendor sent somebody back with (RFC 6749, 4.1.2). */
export function returnedCode({ code, error }: CallbackParameters): ReturnedCode {
  if (error === 'access_denied' || error === 'consent_required') {
    return { code: null, why: 'denied', message: 'Consent was not given' };
  }
  // Anybody can put words into an address: only what looks like an error of RFC 6749 is repeated.
  const reason = typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? ` (${error})` : '';
  if (error !== undefined) {
    return { code: null, why: 'failed', message: `The vendor broke the consent off${reason}; start again` };
  }
  if (typeof code === 'string' && code !== '' && code.length <= MAX_CODE) return { code };
  return { code: null, why: 'failed', message: 'The vendor sent no code; start again' };
}
