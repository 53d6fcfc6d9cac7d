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

/** What a message says besides what was recorded: ids, and names as they were when it was made. */
const OF_SUBJECT = {
  mailboxId: nullable(id('The mailbox that it is about.', '6740a1b2c3d4e5f607182930')),
  mailboxEmail: nullable(text('Its address; null when it was deleted since.', 'grace@example.org')),
  campaignId: nullable(id('The campaign that it is about.', '6740a1b2c3d4e5f607182931')),
  campaignName: nullable(text('Its name; null when it was deleted since.', 'Autumn')),
  leadId: nullable(id('The lead that it is about.', '6740a1b2c3d4e5f607182932')),
};
export type MessageSubject = DataOf<typeof OF_SUBJECT>;

/** What of it events of a group are about; the rest is null. */
const ABOUT: readonly (readonly [prefix: string, fields: readonly (keyof MessageSubject)[]])[] = [
  ['email.', ['mailboxId', 'mailboxEmail', 'campaignId', 'campaignName', 'leadId']],
  ['lead.', ['campaignId', 'campaignName', 'leadId']],
  ['campaign.', ['campaignId', 'campaignName']],
  ['mailbox.', ['mailboxId', 'mailboxEmail']],
];

const ENVELOPE = {
  id: id(
    'Of the event: the same at every attempt and in every webhook; also the header `webhook-id`.',
    '6740a1b2c3d4e5f607182900',
  ),
  timestamp: instant('When it happened.', '2026-11-21T10:15:00.000Z'),
  workspaceId: id('The workspace in which it happened.', '6740a1b2c3d4e5f607182901'),
};

function messageShape(type: EventType): ObjectShape {
  const { fields, schema } = EVENT_DATA[type] as ObjectShape;
  const about = String(schema['description']);
  const data: Fields = { ...OF_SUBJECT, ...fields };
  return object(about, {
    id: ENVELOPE.id,
    type: choice('What happened.', [type]),
    timestamp: ENVELOPE.timestamp,
    workspaceId: ENVELOPE.workspaceId,
    data: object('What there is to say of it. Fields may be added.', data),
  });
}

const SHAPES = new Map(EVENT_TYPES.map((type) => [type, messageShape(type)]));

function shapeOf(type: EventType): ObjectShape {
  const shape = SHAPES.get(type);
  if (!shape) throw new TypeError(`${type} is no type of event`);
  return shape;
}

/** What the body of a message of this type looks like: JSON Schema 2020-12. */
export function messageSchema(type: EventType): JsonSchema {
  return shapeOf(type).schema;
}

/** What a believable message has around its data. */
export const messageExample = {
  id: ENVELOPE.id.example,
  timestamp: ENVELOPE.timestamp.example,
  workspaceId: ENVELOPE.workspaceId.example,
};

/** A believable subject of an event of this type. */
export function sampleSubject(type: EventType): MessageSubject {
  const named = ABOUT.find(([prefix]) => type.startsWith(prefix))?.[1] ?? [];
  const each = Object.entries(OF_SUBJECT) as [keyof MessageSubject, { example: string | null }][];
  return Object.fromEntries(
    each.map(([name, { example }]) => [name, named.includes(name) ? example : null]),
  ) as MessageSubject;
}
