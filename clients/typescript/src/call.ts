import type { ApiRequest, Call, CallOptions, OutreachOptions, Page } from './call-types.ts';
import { fileOf, jsonOf, send } from './send.ts';

/** Sends requests to one platform with one key. */
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
