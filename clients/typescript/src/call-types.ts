export interface OutreachOptions {
  /** The address of the platform, without `/v1`. */
  baseUrl: string;
  /** A workspace key (`sk_…`), or a platform key (`sk_user_…`) of a user. */
  apiKey: string;
  /** The workspace in which a platform key acts; without it the user's default workspace. */
  workspaceId?: string;
  /** Timeout of one attempt (ms); 30 seconds by default. */
  timeoutMs?: number;
  /** Maximum number of retries, where a retry is safe; three by default. */
  retries?: number;
  /** Sends the requests instead of the global `fetch`: for a proxy, for example, or in tests. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits between attempts (ms). */
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call; its promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Timeout of one attempt (ms), up to the complete response; for a file, up to its beginning. */
  timeoutMs?: number;
  /** Maximum number of retries. */
  retries?: number;
  /** For a POST: the key under which the platform executes it once. By default, the client creates one. */
  idempotencyKey?: string;
  /** The workspace of the call, for platform keys. */
  workspaceId?: string;
}

export interface ApiRequest {
  method: string;
  /** The path, with parameter names in braces. */
  path: string;
  ids?: Record<string, string | number>;
  query?: object | undefined;
  body?: unknown;
  /** Media type of the body. */
  sends?: string;
  /** Whether the key is also required as `Authorization: Bearer`. */
  bearer?: boolean;
}

/** A page of a response: of a list with a cursor, or with numbered pages. */
export interface Page<T> {
  data: T[];
  pagination: { nextCursor: string | null } | { page: number; totalPages: number };
}

/** Resolves to the first page, and iterates over all records: further pages are requested on demand. */
export type Listing<P extends Page<unknown>> = Promise<P> & AsyncIterable<P['data'][number]>;

/** The three kinds of calls. */
export interface Call {
  data<T>(request: ApiRequest, options?: CallOptions): Promise<T>;
  list<P extends Page<unknown>>(request: ApiRequest, options?: CallOptions): Listing<P>;
  /** The raw response, to read with `text()`, `blob()` or as the stream `body`. */
  file(request: ApiRequest, options?: CallOptions): Promise<Response>;
}
