import type { OutreachOptions } from './outreach.ts';
import { fileOf, jsonOf, send } from './send.ts';

/** What a single call may set for itself. */
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

/** Speaks to one platform with one key. */
export function createCall(client: OutreachOptions): Call {
  return {
    data: async <T>(request: ApiRequest, options: CallOptions = {}) => {
      const { data } = await send(client, request, options, jsonOf<{ data: T }>);
      return data;
    },
    list: <P extends Page<unknown>>(request: ApiRequest, options: CallOptions = {}) => {
      const read = (more: object) =>
        send(client, { ...request, query: { ...request.query, ...more } }, options, jsonOf<P>);
      const first = read({});
      return Object.assign(first, { [Symbol.asyncIterator]: () => everything(first, read) });
    },
    file: (request, options = {}) => send(client, request, options, fileOf),
  };
}

async function* everything<P extends Page<unknown>>(
  first: Promise<P>,
  read: (more: object) => Promise<P>,
): AsyncGenerator<P['data'][number], void, undefined> {
  let page = await first;
  for (let next = queryOfNext(page); ; next = queryOfNext(page)) {
    for (const one of page.data) yield one as P['data'][number];
    if (!next) return;
    page = await read(next);
  }
}

function queryOfNext({ pagination }: Page<unknown>): object | undefined {
  if ('nextCursor' in pagination) return pagination.nextCursor === null ? undefined : { cursor: pagination.nextCursor };
  return pagination.page < pagination.totalPages ? { page: pagination.page + 1 } : undefined;
}
