/** One address to be read. */
export interface PageQuestion {
  /** http or https, without credentials. */
  readonly url: string;
  /** For everything together: DNS, connection, the last byte. Milliseconds. */
  readonly timeoutMs: number;
  /** Bytes of the body that are taken; what is longer is not read to its end. */
  readonly maxBytes: number;
  /** Redirects that are followed wherever they lead, 0 to 5; by default none is: whether to go on is the caller's to decide. */
  readonly followRedirects?: number;
  /** Ends the question early: it then fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Why nothing came. `address_refused`: it leads to a network that this installation does not connect to. `dns`: there is no such
 * host. `timeout`: it was not all there in time. `redirects`: too many. `unreachable`: no connection, no trusted encryption, or no HTTP.
 */
export type UnansweredReason = 'address_refused' | 'dns' | 'timeout' | 'redirects' | 'unreachable';

export type PageAnswer =
  | {
      readonly kind: 'answered';
      /** Where it came from, after the redirects that were followed. */
      readonly url: string;
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      /** Whether there was more than `maxBytes`. */
      readonly isTruncated: boolean;
    }
  | { readonly kind: 'unanswered'; readonly reason: UnansweredReason };

/** Reads pages at untrusted addresses from users and pages: only public ones, unless the operator allows others. */
export abstract class WebPagesPort {
  /**
   * Asks once; nothing is tried again here.
   * @throws the reason of the question's signal, when that ended it
   */
  abstract fetch(question: PageQuestion): Promise<PageAnswer>;
}
