import { type Route, type Schema } from './routes';

/** A position in a request that names a record. */
export interface Position {
  label: string;
  route: Route;
  place: 'path' | 'query' | 'body';
  /** Its path: `sequence[].variants[]._id`. */
  path: string;
}

/** Fields that look like an id and name no record of a workspace, with the reason. */
const NO_RECORDS: Readonly<Record<string, string>> = {
  'PUT /v1/integrations/slack: body channelId': 'names a channel of Slack',
  'PUT /v1/integrations/{type}: body ownerId': 'names a person in the CRM',
  'POST /v1/integrations/crm/{type}/sync: body filter.ownerId': 'names a person in the CRM',
  'POST /v1/integrations/crm/{type}/sync: body filter.listId': 'names a list of the CRM',
};

/** Ids under another name are found by the descriptions of `IdField` and `IdsField`. */
const ID = { type: 'string', minLength: 1, maxLength: 64 } as const;

/** Every position of a route that can name a record, found by code. */
export function listPositions(route: Route): Position[] {
  return listPlaces(route).filter(({ label }) => !(label in NO_RECORDS));
}

function listPlaces(route: Route): Position[] {
  const at = (place: Position['place'], path: string): Position => ({
    label: `${route.label}: ${place} ${path}`,
    route,
    place,
    path,
  });
  return [
    ...route.ids.map((name) => at('path', name)),
    ...placesIn(route.query).map((path) => at('query', path)),
    ...placesIn(route.body?.fields ?? {}).map((path) => at('body', path)),
  ];
}

/** Exceptions that no longer match a position of these routes. */
export function staleExceptions(routes: readonly Route[]): string[] {
  const labels = new Set(routes.flatMap(listPlaces).map(({ label }) => label));
  return Object.keys(NO_RECORDS).filter((label) => !labels.has(label));
}

function placesIn(fields: Record<string, Schema>, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([name, schema]) => placesAt(schema, `${prefix}${name}`, name));
}

function placesAt(schema: Schema, path: string, name: string): string[] {
  if (schema.properties) return placesIn(schema.properties, `${path}.`);
  if (schema.items) return placesAt(schema.items, `${path}[]`, name);
  return isId(schema) || /^_?ids?$|Ids?$/.test(name) ? [path] : [];
}

function isId(schema: Schema): boolean {
  const { type, minLength, maxLength, format, pattern, enum: allowed } = schema;
  const isPlain = format === undefined && pattern === undefined && allowed === undefined;
  return isPlain && [type].flat()[0] === ID.type && minLength === ID.minLength && maxLength === ID.maxLength;
}

/** Records whose position does not contain their name, by its last name or, for an `_id`, its last two. */
const RECORDS: Readonly<Record<string, string>> = {
  mailboxes: 'mailboxId',
  'sequence._id': 'stepId',
  'variants._id': 'variantId',
  excludeIds: 'leadId',
  before: 'messageId',
  targetId: 'campaignId',
};

/** The fixture’s name for the record of a position: `mailboxId` for `filters.mailboxIds[]`. */
export function recordAt({ path }: Pick<Position, 'path'>): string {
  const segments = path.replaceAll('[]', '').split('.');
  const name = segments.slice(segments.at(-1) === '_id' ? -2 : -1).join('.');
  return RECORDS[name] ?? name.replace(/Ids$/, 'Id');
}

/** The fields with this value at the path; existing lists and objects on the path are kept. */
export function placed(fields: unknown, path: string, value: unknown): unknown {
  const [head = '', ...rest] = path.split('.');
  const name = head.replace('[]', '');
  const object = { ...(fields as Record<string, unknown> | undefined) };
  const isList = head.endsWith('[]');
  if (rest.length === 0) return { ...object, [name]: isList ? [value] : value };
  const inner = rest.join('.');
  const [first, ...others] = isList ? ((object[name] as unknown[] | undefined) ?? []) : [object[name]];
  const changed = placed(first, inner, value);
  return { ...object, [name]: isList ? [changed, ...others] : changed };
}
