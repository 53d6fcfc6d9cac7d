import type { HttpMethod, Route } from './document.mts';

/** Names of the methods that act on one record, whose id ends the path. */
const ON_ONE: Record<HttpMethod, string> = {
  get: 'get',
  post: 'create',
  put: 'set',
  patch: 'update',
  delete: 'delete',
};

/**
 * Derives the client method of each route from its path, so that a reader of one finds the other:
 * `GET /v1/campaigns/{campaignId}/leads` is `campaigns.leads.list`, `POST /v1/campaigns/{campaignId}/start` is
 * `campaigns.start`. A word of the path is a group when it has sub-paths, answers to several methods,
 * or is the first word; otherwise it is the method.
 * @throws Error when two routes have the same name
 */
export function listNames(routes: readonly Route[]): Map<Route, string[]> {
  const names = new Map(routes.map((route) => [route, toName(route, routes)]));
  const taken = new Map<string, Route>();
  for (const [route, name] of names) {
    const other = taken.get(name.join('.'));
    if (other) throw new Error(`${title(route)} and ${title(other)} would both be ${name.join('.')}`);
    taken.set(name.join('.'), route);
  }
  return names;
}

function toName(route: Route, routes: readonly Route[]): string[] {
  const words = splitWords(route);
  const here = routes.filter((other) => sameWords(splitWords(other), words));
  if (endsWithId(route)) return [...words, ON_ONE[route.method]];
  const below = routes.some((other) => isBelow(splitWords(other), words));
  const isGroup = words.length === 1 || here.length > 1 || below;
  if (!isGroup) return words;
  const hasRecords = here.some((other) => endsWithId(other) && other.method === 'get');
  const lists = route.method === 'get' && (hasRecords || route.answer !== 'record');
  return [...words, lists ? 'list' : ON_ONE[route.method]];
}

/** The words of a path in camel case: `/v1/api-keys/{id}/rotate` has `apiKeys` and `rotate`. */
function splitWords({ path }: Route): string[] {
  const words = path.split('/').filter((part) => part !== '' && part !== 'v1' && !part.startsWith('{'));
  return words.map((word) => word.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase()));
}

const endsWithId = ({ path }: Route): boolean => path.endsWith('}');
const isBelow = (words: readonly string[], above: readonly string[]): boolean =>
  words.length > above.length && above.every((word, at) => words[at] === word);
const sameWords = (one: readonly string[], other: readonly string[]): boolean => one.join('.') === other.join('.');
const title = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;
