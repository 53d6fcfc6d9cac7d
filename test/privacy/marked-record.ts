import { type PersonalCollection, type StoredRecord } from '@platform/personal-data';
import { type Schema, type SchemaType, Types } from 'mongoose';
import { covers } from './text-paths';

/** The ids under which a person is known, and the marked address. */
export interface MarkedPerson {
  readonly address: string;
  readonly leadId: Types.ObjectId;
  readonly sendId: Types.ObjectId;
  readonly conversationId: Types.ObjectId;
}

/** No clock reaches it: nothing is due, and nothing expires. */
const NEVER = new Date('2100-01-01');
const OWN_IDS = { leadIds: 'leadId', sendIds: 'sendId', conversationIds: 'conversationId' } as const;

type Value = SchemaType & {
  readonly schema?: Schema;
  readonly embeddedSchemaType?: Value;
  readonly enumValues?: readonly unknown[];
};

/** A settled record of the person, with the marker in each of its personal fields and a value in each of the others. */
export function createMarkedRecord(schema: Schema, personal: PersonalCollection, person: MarkedPerson): StoredRecord {
  const record = fillSchema(schema, '', personal, person);
  return { ...record, ...(personal.identifies && { _id: person[OWN_IDS[personal.identifies.as]] }) };
}

function fillSchema(schema: Schema, prefix: string, personal: PersonalCollection, person: MarkedPerson): StoredRecord {
  const record: Record<string, unknown> = {};
  for (const [path, type] of Object.entries(schema.paths)) {
    const names = path.split('.');
    const parent = names.slice(0, -1).reduce<Record<string, unknown>>((inner, name) => {
      return (inner[name] ??= {}) as Record<string, unknown>;
    }, record);
    parent[names.at(-1)!] = createValue(`${prefix}${path}`, type as Value, personal, person);
  }
  return record;
}

function createValue(path: string, type: Value, personal: PersonalCollection, person: MarkedPerson): unknown {
  if (type.instance === 'Array') {
    const one = type.schema
      ? fillSchema(type.schema, `${path}.`, personal, person)
      : createValue(path, type.embeddedSchemaType!, personal, person);
    return [one];
  }
  if (type.schema) return fillSchema(type.schema, `${path}.`, personal, person);
  if (personal.settled?.[path] === null) return null;
  for (const [ids, own] of Object.entries(OWN_IDS)) {
    if (!personal.foundBy[ids as keyof typeof OWN_IDS]?.includes(path) && !path.endsWith(own)) continue;
    return type.instance === 'String' ? person[own].toHexString() : person[own];
  }
  return createPlain(path, type, personal, person);
}

function createPlain(path: string, type: Value, personal: PersonalCollection, { address }: MarkedPerson): unknown {
  if (type.instance === 'ObjectId') return new Types.ObjectId();
  if (type.instance === 'Date') return NEVER;
  if (type.instance === 'Number') return 1;
  if (type.instance === 'Boolean') return true;
  const isPersonal = personal.erases === 'all' || covers(personal.erases, path);
  const mark = isPersonal ? `mark of ${path} <${address}>` : 'plain';
  if (type.instance === 'Mixed') return { text: mark, email: address, address, more: { text: mark } };
  const { $nin: open = [] } = (personal.settled?.[path] ?? {}) as { $nin?: readonly unknown[] };
  const settled = (type.enumValues ?? []).find((value) => value !== null && !open.includes(value));
  if (settled !== undefined) return settled;
  const { foundBy, identifies } = personal;
  const exact = [foundBy, identifies?.foundBy].flatMap((by) => [
    ...(by?.address ?? []),
    ...(by?.addressInAnyCase ?? []),
  ]);
  return exact.includes(path) ? address : mark;
}
