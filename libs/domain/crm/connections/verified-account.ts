import { CrmError, type CrmField, type CrmIdentity, type CrmSession } from '@adapters/crm';
import { type CrmWay } from './schemas/crm-connection.record';

/** What lets us in, in plain, on its way to being sealed. */
export type CrmCredentials =
  | { readonly apiKey: string }
  | { readonly accessToken: string; readonly expiresAt: Date; readonly refreshToken: string | null };

/** An account that let us in just now. */
export interface VerifiedAccount {
  readonly way: CrmWay;
  readonly identity: CrmIdentity;
  readonly fields: readonly CrmField[];
  readonly baseUrl: string;
  readonly tokenUrl: string | null;
  readonly scopes: readonly string[];
  readonly credentials: CrmCredentials;
}

/** For both questions together: a person waits for the answer. */
const TIMEOUT_MS = 20_000;

/**
 * Asks an account who it is and what it knows of people: whoever may not see that can do nothing else either.
 * @throws CrmError
 */
export async function readAccount(session: CrmSession): Promise<Pick<VerifiedAccount, 'identity' | 'fields'>> {
  return withTimeout(TIMEOUT_MS, async (signal) => {
    const identity = await session.identity(signal);
    return { identity, fields: await session.fields(signal) };
  });
}

/** A question that somebody waits for. @throws CrmError, `timeout` when it takes longer than so many milliseconds */
export async function withTimeout<T>(ms: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  try {
    return await ask(signal);
  } catch (error) {
    if (error !== signal.reason) throw error;
    throw new CrmError('timeout', `The CRM did not answer within ${ms / 1000} seconds`, { cause: error });
  }
}
