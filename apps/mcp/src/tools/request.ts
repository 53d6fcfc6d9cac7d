import { type Route } from './tool';

/** A request of the API, without its origin and its key. */
export interface ToolRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Puts each argument where the operation has it.
 * @throws Error for an argument that the operation does not have: what is not offered is not passed on.
 */
export function getRequest(route: Route, given: Readonly<Record<string, unknown>>): ToolRequest {
  const query = new URLSearchParams(route.fixed);
  const body: Record<string, unknown> = {};
  let { path } = route;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const place = route.places.get(name);
    if (place === undefined) throw new Error(`There is no argument ${name}`);
    if (place === 'body') body[name] = value;
    else if (place === 'path') path = path.replace(`{${name}}`, segment(name, value));
    else query.append(name, plain(name, value));
  }
  const missing = /\{(\w+)\}/.exec(path)?.[1];
  if (missing !== undefined) throw new Error(`${missing} is missing`);
  return {
    method: route.method,
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    body: route.hasBody ? body : undefined,
  };
}

/** The arguments of another operation among these. */
export function argumentsFor(route: Route, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => route.places.has(name)));
}

/** What an id of the platform may look like: long, and with a digit. No word of a path does (tools.spec.ts). */
export const ID = /^(?=[\w-]*\d)[\w-]{20,64}$/;

/** Only ids: `..`, `a/b` and words such as `export` would make another operation of it, which nobody offered. */
function segment(name: string, value: unknown): string {
  const text = plain(name, value);
  if (!ID.test(text)) throw new Error(`${name} is not an id`);
  return text;
}

function plain(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`${name} is not a text, a number or a truth value`);
}
