import { plausibleBody, question } from '../isolation/asking';
import { type Question } from '../isolation/caller';
import { type IsolationEnvironment, UNKNOWN_ID } from '../isolation/isolation-environment';
import { plausible, type Route } from '../isolation/routes';
import { FILE } from '../isolation/imports';
import { encodeBody, type Plan } from './plans';

/** Mail servers without a listener: a login attempt fails at once. */
const NO_SERVERS = { smtpHost: '127.0.0.1', smtpPort: 9, imapHost: '127.0.0.1', imapPort: 9 };
/** Without it, the rest of the suite would use a deleted workspace. */
const NEVER_OF_ITS_OWN = new Set(['DELETE /v1/workspaces/{workspaceId}']);

/** The request of a plan for a route, in the workspace `mine`. */
export function createRequest(environment: IsolationEnvironment, route: Route, plan: Plan): Question {
  const { mine, theirs } = environment;
  const names = [...(route.workspace === 'path' ? ['workspaceId'] : []), ...route.ids];
  const { workspaceId = mine.workspaceId, ...ids } = Object.fromEntries(
    names.flatMap((name, at) => {
      const wanted = plan.ids[at] ?? 'own';
      const kind = wanted === 'own' && NEVER_OF_ITS_OWN.has(route.label) ? 'theirs' : wanted;
      if (kind === 'own') return [];
      if (typeof kind === 'object') return [[name, segment(kind.text)]];
      return [[name, name === 'workspaceId' ? theirs.workspaceId : theirs.id(route, name)]];
    }),
  ) as Record<string, string>;
  const { body, headers } = createBody(environment, route, plan);
  const key = environment.keyFor(route, mine);
  const inPath = route.workspace === 'path' ? { workspaceId } : {};
  const asked = question(route, mine, { key, ids, query: createQuery(route, plan), body, ...inPath });
  return { ...asked, headers: { ...asked.headers, ...headers, ...given(plan.headers) } };
}

function createBody(
  environment: IsolationEnvironment,
  route: Route,
  plan: Plan,
): { body: string | Buffer | undefined; headers: Record<string, string> } {
  if (route.upload) {
    const { body, headers } = encodeBody(plan.values.length > 0 ? createFile(plan) : FILE, plan.encoding);
    return { body, headers: { 'Content-Type': route.upload, ...headers } };
  }
  const plain = plausibleBody(route, environment.mine, environment.caller.origin);
  if (!plain && plan.added.length === 0) return { body: undefined, headers: {} };
  const { body, headers } = encodeBody(
    JSON.stringify(changed(withoutServers(route, plain ?? {}), plan)),
    plan.encoding,
  );
  return { body, headers };
}

/** A new mailbox gets servers without a listener; an update keeps its servers. */
function withoutServers({ method }: Route, body: Record<string, unknown>): Record<string, unknown> {
  if (!('smtpHost' in body)) return body;
  if (method === 'post') return { ...body, ...NO_SERVERS };
  return Object.fromEntries(Object.entries(body).filter(([name]) => !/^(smtp|imap)/.test(name)));
}

/** The body with some fields changed, some left out and some added. */
function changed(base: Record<string, unknown>, { values, dropped, added }: Plan): unknown {
  const body = structuredClone(base);
  for (const { at, value } of values) {
    const places = placesIn(body);
    const place = places[at % Math.max(places.length, 1)];
    if (place) place.holder[place.name] = structuredClone(value);
  }
  for (const at of dropped) {
    const names = Object.keys(body);
    const name = names[at % Math.max(names.length, 1)];
    if (name !== undefined) delete body[name];
  }
  // As in JSON: `__proto__` is an ordinary name.
  for (const { name, value } of added)
    Object.defineProperty(body, name, { value, enumerable: true, configurable: true });
  return body;
}

interface Place {
  holder: Record<string, unknown>;
  name: string;
}

/** Every path in an object that has a value, at any depth. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder)
    .slice(0, 50)
    .flatMap((name) => [{ holder, name }, ...placesIn(holder[name])]);
}

/** Rows of a file with arbitrary cells. */
function createFile({ values, dropped }: Plan): string {
  const cells = values.map(({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const quoted = dropped.length > 0 ? cells : cells.map((cell) => `"${cell.replaceAll('"', '""')}"`);
  return ['email,firstName,company', `${quoted.join(',')},x,y`, `ada@example.com,${quoted.join(',')}`].join('\n');
}

function createQuery(route: Route, { query, strangeQuery }: Plan): string {
  const names = Object.keys(route.query);
  const known = query.flatMap(({ at, text, twice }) => {
    const name = names[at % Math.max(names.length, 1)];
    if (name === undefined) return [];
    // Half of them are valid: the hostile part is then the other one.
    const value = at % 3 === 0 ? String(plausible(route.query[name]!)) : text.slice(0, 3_000);
    const pair = `${name}=${encodeURIComponent(value.toWellFormed())}`;
    return twice ? [pair, pair] : [pair];
  });
  return [...known, ...strangeQuery].join('&');
}

/** As a path segment: an empty one would be another path. */
function segment(text: string): string {
  const encoded = encodeURIComponent(text.slice(0, 3_000).toWellFormed());
  return encoded === '' || /^\.+$/.test(encoded) ? UNKNOWN_ID : encoded;
}

function given(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
}
