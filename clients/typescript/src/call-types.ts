export interface OutreachOptions {
  /** Where the platform is, without `/v1`. */
  baseUrl: string;
  /** A workspace key (`sk_…`), or a platform key (`sk_user_…`) of a user. */
  apiKey: string;
  /** The workspace in which a platform key acts; without it the user's default workspace. */
  workspaceId?: string;
  /** How long one attempt of a call may take (ms); 30 seconds by default. */
  timeoutMs?: number;
  /** How often a call is tried again at most, where that is safe; three times by default. */
  retries?: number;
  /** Makes the requests instead of the platform's own `fetch`: behind a proxy, say, or in tests. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits between attempts (ms). */
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call; its promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
  /** How long one attempt may take (ms), up to the whole answer; of a file, up to its beginning. */
  timeoutMs?: number;
  /** How often it is tried again at most. */
  retries?: number;
  /** For a POST: the key under which the platform carries it out once. The client makes one when none is given. */
  idempotencyKey?: string;
  /** The workspace to act in, for platform keys. */
  workspaceId?: string;
}

export interface ApiRequest {
  method: string;
  /** With names in braces where ids belong. */
  path: string;
  ids?: Record<string, string | number>;
  query?: object | undefined;
  body?: unknown;
  /** Media type of the body. */
  sends?: string;
  /** The key is asked for as `Authorization: Bearer`, too. */
  bearer?: boolean;
}

/** A page as the API answers it: of a list with a cursor, or of one with numbered pages. */
export interface Page<T> {
  data: T[];
  pagination: { nextCursor: string | null } | { page: number; totalPages: number };
}

/** The first page to await, and everything to iterate over: further pages are asked for when they are needed. */
export type Listing<P extends Page<unknown>> = Promise<P> & AsyncIterable<P['data'][number]>;

/** The three kinds of calls that there are. */
export interface Call {
  data<T>(request: ApiRequest, options?: CallOptions): Promise<T>;
  list<P extends Page<unknown>>(request: ApiRequest, options?: CallOptions): Listing<P>;
  /** The answer as it is, to read with `text()`, `blob()` or as the stream `body`. */
  file(request: ApiRequest, options?: CallOptions): Promise<Response>;
}
