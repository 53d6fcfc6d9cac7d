import { setTimeout as wait } from 'node:timers/promises';
import { type LeaseService } from '@platform/database';

/** Stores and renews the access tokens of one owner. */
export interface TokenSource<S> {
  /** Unique name of the owner, used for the lease. */
  readonly name: string;
  /** The stored tokens. @throws when nothing is stored that could be renewed */
  read(): Promise<S>;
  /** The stored access token, if it is valid for long enough. */
  usable(stored: S): string | null;
  /**
   * Requests a new token from the vendor, and stores it if the stored tokens are unchanged.
   * @returns null when newer tokens were stored in the meantime: they are used instead
   */
  renew(stored: S): Promise<string | null>;
  /** Whether the vendor says that the grant is revoked. The stored grant may have been replaced in the meantime. */
  isRevoked(error: unknown): boolean;
  isSame(one: S, other: S): boolean;
  /** Creates the error for a token that is temporarily unavailable. */
  unavailable(message: string): Error;
}

/** Longer than the two requests that a renewal may take. */
const LEASE_MS = 30_000;
/** Longest wait for the renewal by another process, and bounds of the poll interval. */
const MAX_WAIT_MS = 40_000;
const FIRST_POLL_MS = 25;
const MAX_POLL_MS = 500;

/**
 * Renews access tokens. Of concurrent callers in all processes, one requests the new token from the vendor and the others read
 * the stored result.
 */
export class TokenRefreshCoalescer {
  /** Renewals of this process by owner, so that callers of one process share one lease. */
  readonly #renewals = new Map<string, Promise<string>>();

  constructor(private readonly leases: LeaseService) {}

  /** @param refused the token that the vendor has just refused; it is renewed only while it is still stored */
  async token<S>(source: TokenSource<S>, refused?: string): Promise<string> {
    const usable = getUsableToken(source, await source.read(), refused);
    if (usable !== null) return usable;
    const renewal = this.#renewals.get(source.name);
    if (renewal) {
      const token = await renewal;
      if (token !== refused) return token;
    }
    return this.#renewOnce(source, refused);
  }

  #renewOnce<S>(source: TokenSource<S>, refused: string | undefined): Promise<string> {
    const running = this.#renewals.get(source.name);
    if (running) return running;
    const renewal = this.#renewUnderLease(source, refused).finally(() => this.#renewals.delete(source.name));
    this.#renewals.set(source.name, renewal);
    return renewal;
  }

  /** Renews under the lease, or waits for the token that the holder of the lease stores. */
  async #renewUnderLease<S>(source: TokenSource<S>, refused: string | undefined): Promise<string> {
    const giveUpAt = performance.now() + MAX_WAIT_MS;
    for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * 2, MAX_POLL_MS)) {
      const lease = await this.leases.acquire(`token-${source.name}`, LEASE_MS);
      if (lease) {
        try {
          return await renewUnlessUsable(source, refused);
        } finally {
          await this.leases.release(lease);
        }
      }
      await wait(pause * (0.5 + Math.random()));
      const usable = getUsableToken(source, await source.read(), refused);
      if (usable !== null) return usable;
      if (performance.now() > giveUpAt) {
        throw source.unavailable('The token renewal by another process takes too long');
      }
    }
  }
}

/** Runs under the lease; a usable token that was stored in the meantime is preferred. */
async function renewUnlessUsable<S>(source: TokenSource<S>, refused: string | undefined): Promise<string> {
  const stored = await source.read();
  const usable = getUsableToken(source, stored, refused);
  if (usable !== null) return usable;
  try {
    return await renewFrom(source, stored);
  } catch (error) {
    if (!source.isRevoked(error)) throw error;
    // Another process (with an expired lease, or a new authorization) may have replaced the refresh token.
    const again = await source.read();
    if (source.isSame(stored, again)) throw error;
    return getUsableToken(source, again, refused) ?? renewFrom(source, again);
  }
}

async function renewFrom<S>(source: TokenSource<S>, stored: S): Promise<string> {
  const token = (await source.renew(stored)) ?? source.usable(await source.read());
  if (token === null) throw source.unavailable('The authorization was changed in the meantime');
  return token;
}

function getUsableToken<S>(source: TokenSource<S>, stored: S, refused: string | undefined): string | null {
  const token = source.usable(stored);
  return token === refused ? null : token;
}
