import {
  type DataOf,
  EVENT_DATA,
  EVENT_TYPES,
  type EventType,
  type Fields,
  id,
  instant,
  type JsonSchema,
  nullable,
  object,
  type ObjectShape,
  choice,
  text,
} from '@domain/events';

/** What a message adds to the recorded data: ids, and names at its creation. */
const OF_SUBJECT = {
  mailboxId: nullable(id('The mailbox of the event.', '6740a1b2c3d4e5f607182930')),
  mailboxEmail: nullable(text('Its address; null if it was deleted since.', 'grace@example.org')),
  campaignId: nullable(id('The campaign of the event.', '6740a1b2c3d4e5f607182931')),
  campaignName: nullable(text('Its name; null if it was deleted since.', 'Autumn')),
  leadId: nullable(id('The lead of the event.', '6740a1b2c3d4e5f607182932')),
};
export type MessageSubject = DataOf<typeof OF_SUBJECT>;

/** The subjects of an event group; the others are null. */
const ABOUT: readonly (readonly [prefix: string, fields: readonly (keyof MessageSubject)[]])[] = [
  ['email.', ['mailboxId', 'mailboxEmail', 'campaignId', 'campaignName', 'leadId']],
  ['lead.', ['campaignId', 'campaignName', 'leadId']],
  ['campaign.', ['campaignId', 'campaignName']],
  ['mailbox.', ['mailboxId', 'mailboxEmail']],
];

const ENVELOPE = {
  id: id(
    'The id of the event: the same at each attempt and for each webhook; also the header `webhook-id`.',
    '6740a1b2c3d4e5f607182900',
  ),
  timestamp: instant('When it happened.', '2026-11-21T10:15:00.000Z'),
  workspaceId: id('The workspace in which it happened.', '6740a1b2c3d4e5f607182901'),
};

function getMessageShape(type: EventType): ObjectShape {
  const { fields, schema } = EVENT_DATA[type] as ObjectShape;
  const about = String(schema['description']);
  const data: Fields = { ...OF_SUBJECT, ...fields };
  return object(about, {
    id: ENVELOPE.id,
    type: choice('What happened.', [type]),
    timestamp: ENVELOPE.timestamp,
    workspaceId: ENVELOPE.workspaceId,
    data: object('The data of the event. Fields may be added.', data),
  });
}

const SHAPES = new Map(EVENT_TYPES.map((type) => [type, getMessageShape(type)]));

function getDataShape(type: EventType): ObjectShape {
  const shape = SHAPES.get(type);
  if (!shape) throw new TypeError(`${type} is not an event type`);
  return shape;
}

/** The JSON Schema (2020-12) of a message of this type. */
export function getMessageSchema(type: EventType): JsonSchema {
  return getDataShape(type).schema;
}

/** The envelope of an example message. */
export const messageExample = {
  id: ENVELOPE.id.example,
  timestamp: ENVELOPE.timestamp.example,
  workspaceId: ENVELOPE.workspaceId.example,
};

/** An example subject of an event of this type. */
export function sampleSubject(type: EventType): MessageSubject {
  const named = ABOUT.find(([prefix]) => type.startsWith(prefix))?.[1] ?? [];
  const each = Object.entries(OF_SUBJECT) as [keyof MessageSubject, { example: string | null }][];
  return Object.fromEntries(
    each.map(([name, { example }]) => [name, named.includes(name) ? example : null]),
  ) as MessageSubject;
}
