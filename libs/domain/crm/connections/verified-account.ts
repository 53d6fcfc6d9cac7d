import { CrmError, type CrmField, type CrmIdentity, type CrmSession } from '@adapters/crm';
import { type CrmWay } from './schemas/crm-connection.record';

/** Plain credentials before they are sealed. */
export type CrmCredentials =
  | { readonly apiKey: string }
  | { readonly accessToken: string; readonly expiresAt: Date; readonly refreshToken: string | null };

/** An account whose credentials were just verified. */
export interface VerifiedAccount {
  readonly authMethod: CrmWay;
  readonly identity: CrmIdentity;
  readonly fields: readonly CrmField[];
  readonly baseUrl: string;
  readonly tokenUrl: string | null;
  readonly scopes: readonly string[];
  readonly credentials: CrmCredentials;
}

/** For both requests together: a person waits. */
const TIMEOUT_MS = 20_000;

/**
 * Reads the identity and person fields of an account, the least that every sync needs.
 * @throws CrmError
 */
export async function readAccount(session: CrmSession): Promise<Pick<VerifiedAccount, 'identity' | 'fields'>> {
  return withRequestTimeout(TIMEOUT_MS, async (signal) => {
    const identity = await session.identity(signal);
    return { identity, fields: await session.fields(signal) };
  });
}

/** Runs a request with a time limit in milliseconds. @throws CrmError `timeout` */
export async function withRequestTimeout<T>(ms: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  try {
    return await ask(signal);
  } catch (error) {
    if (error !== signal.reason) throw error;
    throw new CrmError('timeout', `The CRM did not answer within ${ms / 1000} seconds`, { cause: error });
  }
}
