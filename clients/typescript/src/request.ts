import type { ApiRequest, CallOptions, OutreachOptions } from './call-types.ts';

/** A request as each attempt sends it. */
export interface Prepared {
  method: string;
  url: string;
  headers: Headers;
  body: Blob | string | undefined;
}

/** @throws TypeError for an id that would change the path */
export function prepare(client: OutreachOptions, request: ApiRequest, options: CallOptions): Prepared {
  const { method, path, ids = {}, query = {}, body, sends } = request;
  const headers = new Headers({ accept: '*/*', 'x-api-key': client.apiKey });
  if (request.bearer) headers.set('authorization', `Bearer ${client.apiKey}`);
  const workspaceId = options.workspaceId ?? client.workspaceId;
  if (workspaceId !== undefined) headers.set('x-workspace-id', workspaceId);
  if (method === 'POST') headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
  if (sends !== undefined) headers.set('content-type', sends);
  const url = `${client.baseUrl.replace(/\/+$/, '')}${withIds(path, ids)}${queryText(query)}`;
  return { method, url, headers, body: sends === 'application/json' ? JSON.stringify(body) : (body as Blob | string) };
}

function withIds(path: string, ids: Record<string, string | number>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const id = String(ids[name] ?? '');
    // A URL parser resolves these: `/campaigns/..` is the path of another resource.
    if (id === '' || id === '.' || id === '..') throw new TypeError(`${name} is "${id}", which is no id`);
    return encodeURIComponent(id);
  });
}

function queryText(query: object): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) text.set(name, String(value));
  const encoded = text.toString();
  return encoded === '' ? '' : `?${encoded}`;
}
