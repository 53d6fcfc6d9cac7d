import { createHash, randomBytes } from 'node:crypto';

/** 256 bits, in base64url: for the state, and for PKCE's verifier (RFC 7636, 4.1: 43 characters). */
const RANDOM_BYTES = 32;

/** Secrets of one authorization request, in plain text. */
export interface ConsentSecrets {
  /** Returned in the callback (RFC 6749, 10.12). */
  readonly state: string;
  readonly verifier: string;
  /** PKCE's S256 challenge of the verifier. */
  readonly challenge: string;
}

export function consentSecrets(): ConsentSecrets {
  const state = randomBytes(RANDOM_BYTES).toString('base64url');
  const verifier = randomBytes(RANDOM_BYTES).toString('base64url');
  return { state, verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The hash by which a state is stored. The state is random, so an unsalted hash reveals nothing. */
export function getStateHash(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}
