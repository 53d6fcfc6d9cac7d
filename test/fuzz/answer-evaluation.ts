import { type Answer } from '../isolation/caller';
import { type Foreign } from '../isolation/foreign';
import { SCRIPT } from './hostile';

/** Texts that only readers of the code or its libraries may see. */
const INTERNALS =
  /\n\s+at .*:\d+|node_modules|node:internal|\.[cm]?[jt]s:\d+|\/libs\/|\/apps\/|Mongo(Server)?Error|BSONError|CastError|ValidatorError|TypeError|RangeError|ReferenceError|SyntaxError|is not a function|Cannot read propert|E11000|ENOENT|EAI_AGAIN/;
const REQUEST_ID = /^[\w-]{8,64}$/;

/** Texts that a response must not contain. */
export interface Untold {
  foreign: Foreign;
  /** Locations of the installation’s data: folders, databases, queues. */
  inside: readonly string[];
}

/** Every fault of a response. @param said the request, whose content may be repeated */
export function* findFaults(answer: Answer, { foreign, inside }: Untold, said: string): Generator<string> {
  const { status, headers, text } = answer;
  if (status >= 500) yield `5xx: ${status} ${text.slice(0, 300)}`;
  const internal = INTERNALS.exec(text);
  if (internal && !said.includes(internal[0])) yield `internals: ${internal[0].trim()} in ${text.slice(0, 500)}`;
  const places = inside.filter((place) => text.includes(place));
  if (places.length > 0) yield `places of the installation: ${places.join(', ')}`;
  const leaks = foreign.in(text, said);
  if (leaks.length > 0) yield `data of another workspace: ${leaks.join(', ')}`;
  if (!REQUEST_ID.test(String(headers['x-request-id']))) yield `request id: ${String(headers['x-request-id'])}`;
  if ('x-injected' in headers) yield 'a header that the request made up';
  if (/html/.test(headers['content-type'] ?? '') && text.includes(SCRIPT)) yield 'a script on a page';
}

/** The same for a route of the API, whose refusals all have one of two forms. */
export function* faultsOfRoute(answer: Answer, untold: Untold, said: string): Generator<string> {
  yield* findFaults(answer, untold, said);
  const { status, headers, body, text } = answer;
  if (status < 400) return;
  const isJson = /^application\/json(;|$)/.test(headers['content-type'] ?? '');
  if (!isJson || !(isFormA(body, status) || isFormB(body)))
    yield `no form of a refusal: ${status} ${text.slice(0, 300)}`;
}

function isFormA(body: unknown, status: number): boolean {
  const { error, message, code, ...rest } = body as Record<string, unknown>;
  return typeof error === 'string' && isSentence(message) && code === status && onlyErrorId(rest);
}

function isFormB(body: unknown): boolean {
  const { success, error, ...rest } = body as Record<string, unknown>;
  if (success !== false || typeof error !== 'object' || error === null || Object.keys(rest).length > 0) return false;
  const { code, message, details = [], ...more } = error as Record<string, unknown>;
  const named = details as { field: unknown; message: unknown }[];
  const areFields =
    Array.isArray(details) && named.every(({ field, message }) => typeof field === 'string' && isSentence(message));
  return /^[A-Z][A-Z0-9_]+$/.test(String(code)) && isSentence(message) && areFields && onlyErrorId(more);
}

function isSentence(message: unknown): boolean {
  return typeof message === 'string' && message.trim() !== '';
}

function onlyErrorId(rest: object): boolean {
  return Object.keys(rest).every((name) => name === 'errorId');
}

/** Names in stored records that a database could treat as an operator, or JavaScript as an inherited property. */
export function strangeNames(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name.startsWith('$') || name === '__proto__' || name === 'constructor' ? [`${path}.${name}`] : []),
    ...strangeNames(inner, `${path}.${name}`),
  ]);
}
