/** A request for one URL. */
export interface PageQuestion {
  /** http or https, without credentials. */
  readonly url: string;
  /** Timeout in milliseconds for everything: DNS, connection and body. */
  readonly timeoutMs: number;
  /** Maximum bytes of the body; a longer body is truncated. */
  readonly maxBytes: number;
  /** Maximum followed redirects to any host, 0 to 5; by default none, so that the caller decides. */
  readonly followRedirects?: number;
  /** Aborts the request, which then fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * The reason of a failure. `address_refused`: the address is in a forbidden network. `dns`: the host does not exist. `timeout`: the
 * response was not complete in time. `redirects`: too many. `unreachable`: no connection, no trusted encryption, or no HTTP.
 */
export type UnansweredReason = 'address_refused' | 'dns' | 'timeout' | 'redirects' | 'unreachable';

export type PageAnswer =
  | {
      readonly kind: 'answered';
      /** The URL after followed redirects. */
      readonly url: string;
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      /** Whether the body was longer than `maxBytes`. */
      readonly isTruncated: boolean;
    }
  | { readonly kind: 'unanswered'; readonly reason: UnansweredReason };

/** Reads pages at untrusted addresses from users and pages: only public ones, unless the operator allows others. */
export abstract class WebPagesPort {
  /**
   * Sends one request without retries.
   * @throws the reason of the question's signal, when that ended it
   */
  abstract fetch(question: PageQuestion): Promise<PageAnswer>;
}
