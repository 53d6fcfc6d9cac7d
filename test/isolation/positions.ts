import { type Route, type Schema } from './routes';

/** A place in a request where a record is named. */
export interface Position {
  label: string;
  route: Route;
  place: 'path' | 'query' | 'body';
  /** Where in it: `sequence[].variants[]._id`. */
  path: string;
}

/** What looks like an id and names no record of a workspace, with the reason. */
const NO_RECORDS: Readonly<Record<string, string>> = {
  'PUT /v1/integrations/slack: body channelId': 'names a channel of Slack',
  'PUT /v1/integrations/{type}: body ownerId': 'names somebody in the CRM',
  'POST /v1/integrations/crm/{type}/sync: body filter.ownerId': 'names somebody in the CRM',
  'POST /v1/integrations/crm/{type}/sync: body filter.listId': 'names a list of the CRM',
};

/** Fields that hold ids under another name are found by what `IdField` and `IdsField` say of them. */
const ID = { type: 'string', minLength: 1, maxLength: 64 } as const;

/** Every place of a route in which a record can be named, found by machine. */
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

/** Exceptions that fit no place of these routes any more. */
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

/** Records whose place does not say their name, by its last name or, of an `_id`, its last two. */
const RECORDS: Readonly<Record<string, string>> = {
  mailboxes: 'mailboxId',
  'sequence._id': 'stepId',
  'variants._id': 'variantId',
  excludeIds: 'leadId',
  before: 'messageId',
  targetId: 'campaignId',
};

/** The name under which a fixture knows the record that a position names: `mailboxId` for `filters.mailboxIds[]`. */
export function recordAt({ path }: Pick<Position, 'path'>): string {
  const segments = path.replaceAll('[]', '').split('.');
  const name = segments.slice(segments.at(-1) === '_id' ? -2 : -1).join('.');
  return RECORDS[name] ?? name.replace(/Ids$/, 'Id');
}

/** The fields with this value at the path; lists and objects on the way are kept where there are some. */
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
