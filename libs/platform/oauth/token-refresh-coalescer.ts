import { setTimeout as wait } from 'node:timers/promises';
import { type LeaseService } from '@platform/database';

/** Access tokens of one owner: where they are kept and how a new one is had. */
export interface TokenSource<S> {
  /** Names the owner among all whose tokens are renewed under leases. */
  readonly name: string;
  /** What is stored now. @throws when there is nothing that could be renewed */
  read(): Promise<S>;
  /** The stored access token, if it lives for long enough. */
  usable(stored: S): string | null;
  /**
   * Has a new one from the vendor, and stores it if what is stored is still what it was made from.
   * @returns null when somebody stored newer ones meanwhile: ours are dropped, theirs are used
   */
  renew(stored: S): Promise<string | null>;
  /** Whether the vendor says that the grant is gone: it may have been a grant that somebody has replaced meanwhile. */
  isRevoked(error: unknown): boolean;
  isSame(one: S, other: S): boolean;
  /** What is thrown when no token can be had at the moment. */
  unavailable(message: string): Error;
}

/** Longer than the two requests that a renewal may take. */
const LEASE_MS = 30_000;
/** For how long somebody else's renewal is waited for, and how often it is looked at. */
const MAX_WAIT_MS = 40_000;
const FIRST_POLL_MS = 25;
const MAX_POLL_MS = 500;

/**
 * Renews access tokens. Of all who need a new one at the same time, in however many processes, one asks the vendor and the others
 * read what it stored.
 */
export class TokenRefreshCoalescer {
  /** Renewals of this process, by owner: its own callers do not queue for the lease. */
  readonly #renewals = new Map<string, Promise<string>>();

  constructor(private readonly leases: LeaseService) {}

  /** @param refused the token that the vendor has just refused; it is replaced only while it is still the stored one */
  async token<S>(source: TokenSource<S>, refused?: string): Promise<string> {
    const usable = getUsableToken(source, await source.read(), refused);
    if (usable !== null) return usable;
    const flight = this.#renewals.get(source.name);
    if (flight) {
      const token = await flight;
      if (token !== refused) return token;
    }
    return this.#renewOnce(source, refused);
  }

  #renewOnce<S>(source: TokenSource<S>, refused: string | undefined): Promise<string> {
    const running = this.#renewals.get(source.name);
    if (running) return running;
    const flight = this.#renewUnderLease(source, refused).finally(() => this.#renewals.delete(source.name));
    this.#renewals.set(source.name, flight);
    return flight;
  }

  /** Renews while no other process does, or waits for what that one stores. */
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
        throw source.unavailable('Another process is taking too long to renew the token');
      }
    }
  }
}

/** Under the lease: what was stored in the meantime comes first. */
async function renewUnlessUsable<S>(source: TokenSource<S>, refused: string | undefined): Promise<string> {
  const stored = await source.read();
  const usable = getUsableToken(source, stored, refused);
  if (usable !== null) return usable;
  try {
    return await renewFrom(source, stored);
  } catch (error) {
    if (!source.isRevoked(error)) throw error;
    // Another process (one whose lease ran out, a new consent) may have changed the refresh token meanwhile.
    const again = await source.read();
    if (source.isSame(stored, again)) throw error;
    return getUsableToken(source, again, refused) ?? renewFrom(source, again);
  }
}

async function renewFrom<S>(source: TokenSource<S>, stored: S): Promise<string> {
  const token = (await source.renew(stored)) ?? source.usable(await source.read());
  if (token === null) throw source.unavailable('The authorisation was changed meanwhile');
  return token;
}

function getUsableToken<S>(source: TokenSource<S>, stored: S, refused: string | undefined): string | null {
  const token = source.usable(stored);
  return token === refused ? null : token;
}
