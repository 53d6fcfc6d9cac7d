import { type Route } from './tool';

/** A request to the API, without origin and key. */
export interface ToolRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Places each argument where the operation expects it.
 * @throws Error for an argument that the operation does not have: only offered arguments are passed on
 */
export function getRequest(route: Route, input: Readonly<Record<string, unknown>>): ToolRequest {
  const query = new URLSearchParams(route.fixed);
  const body: Record<string, unknown> = {};
  let { path } = route;
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const place = route.places.get(name);
    if (place === undefined) throw new Error(`There is no argument ${name}`);
    if (place === 'body') body[name] = value;
    else if (place === 'path') path = path.replace(`{${name}}`, toSegment(name, value));
    else query.append(name, toPlainText(name, value));
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
export function pickArguments(route: Route, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => route.places.has(name)));
}

/** The form of an id of the platform: long, with a digit. No word of a path has it (tools.spec.ts). */
export const ID = /^(?=[\w-]*\d)[\w-]{20,64}$/;

/** Only ids: `..`, `a/b` and words such as `export` would address an operation that is not offered. */
function toSegment(name: string, value: unknown): string {
  const text = toPlainText(name, value);
  if (!ID.test(text)) throw new Error(`${name} is not an id`);
  return text;
}

function toPlainText(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`${name} is not a string, a number or a boolean`);
}
