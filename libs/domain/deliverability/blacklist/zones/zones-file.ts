import { ZonesFileError } from './zones-file.errors';
import {
  type BlacklistZone,
  STANDARD_TEST_POINTS,
  ZONE_ACCESSES,
  ZONE_KINDS,
  type ZoneKind,
  getZoneKey,
  type TestPoints,
} from './zone';
import { CODE_MEANINGS, parseCode, type ZoneCode } from './zone-code';

/** Highest number of zones: each costs every mailbox a query. */
const MAX_ZONES = 200;
const DOMAIN_NAME =
  /^(?=.{1,190}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)+$/;
const TEST_POINT = /^(?=.{1,100}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

type Json = Readonly<Record<string, unknown>>;
type Problems = string[];

/**
 * Parses the operator's file: `{"base": "default" | "none", "remove": ["zone/kind"], "zones": [{...}]}`, all optional. An entry
 * for a known zone changes only the given fields.
 * @throws ZonesFileError with every problem
 */
export function toZones(text: string, defaults: readonly BlacklistZone[]): BlacklistZone[] {
  return parseZones(parsed(text), defaults);
}

/**
 * Parses the content of such a file.
 * @throws ZonesFileError with every problem
 */
export function parseZones(file: Json, defaults: readonly BlacklistZone[]): BlacklistZone[] {
  const problems: Problems = listUnknownFields(file, ['base', 'remove', 'zones'], 'The file');
  const { base = 'default', remove = [], zones = [] } = file;
  if (base !== 'default' && base !== 'none') problems.push('base must be "default" or "none"');
  if (!Array.isArray(remove)) problems.push('remove must be a list of "zone/kind"');
  if (!Array.isArray(zones)) problems.push('zones must be a list of objects');
  const all = new Map((base === 'none' ? [] : defaults).map((zone) => [getZoneKey(zone), zone]));
  for (const key of Array.isArray(remove) ? (remove as unknown[]) : []) {
    if (typeof key !== 'string' || !all.delete(key)) problems.push(`remove: there is no ${JSON.stringify(key)}`);
  }
  const keys = new Set<string>();
  for (const [at, entry] of (Array.isArray(zones) ? (zones as unknown[]) : []).entries()) {
    const zone = parseZone(entry, at, all, problems);
    if (zone === null) continue;
    if (keys.has(getZoneKey(zone))) problems.push(`zones[${at}]: ${getZoneKey(zone)} is given twice`);
    keys.add(getZoneKey(zone));
    all.set(getZoneKey(zone), zone);
  }
  if (problems.length === 0 && all.size === 0) problems.push('there is no zone left');
  if (all.size > MAX_ZONES) problems.push(`there are ${all.size} zones, more than ${MAX_ZONES}`);
  if (problems.length > 0) throw new ZonesFileError(problems);
  return [...all.values()];
}

function parsed(text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The content is not repeated: it may be a key.
    const [place = ''] =
      /at position \d+(?: \(line \d+ column \d+\))?$/.exec(error instanceof Error ? error.message : '') ?? [];
    throw new ZonesFileError([place === '' ? 'it is no JSON' : `it is no JSON: ${place}`]);
  }
  if (!isObject(value)) throw new ZonesFileError(['it must be a JSON object']);
  return value;
}

const FIELDS = ['zone', 'kind', 'name', 'suffix', 'weight', 'removalUrl', 'access', 'codes', 'testPoints'];

function parseZone(entry: unknown, at: number, known: ReadonlyMap<string, BlacklistZone>, problems: Problems) {
  const place = `zones[${at}]`;
  if (!isObject(entry)) {
    problems.push(`${place} must be an object`);
    return null;
  }
  const { zone, kind } = entry;
  if (typeof zone !== 'string' || !DOMAIN_NAME.test(zone)) problems.push(`${place}: zone must be a name in lower case`);
  if (!isOneOf(kind, ZONE_KINDS)) problems.push(`${place}: kind must be one of ${ZONE_KINDS.join(', ')}`);
  if (typeof zone !== 'string' || !DOMAIN_NAME.test(zone) || !isOneOf(kind, ZONE_KINDS)) return null;
  const mine: Problems = listUnknownFields(entry, FIELDS, `${place} (${zone}/${kind})`);
  const read = parseFields(entry, `${place} (${zone}/${kind})`, mine);
  problems.push(...mine);
  return { ...(known.get(getZoneKey({ zone, kind })) ?? listMissing(zone, kind)), ...read };
}

function listMissing(zone: string, kind: ZoneKind): BlacklistZone {
  return {
    zone,
    kind,
    name: zone,
    suffix: zone,
    weight: 50,
    removalUrl: null,
    access: 'open',
    codes: [],
    testPoints: STANDARD_TEST_POINTS[kind],
  };
}

function parseFields(entry: Json, place: string, problems: Problems): Partial<BlacklistZone> {
  const rules: Record<string, [(value: unknown) => boolean, string]> = {
    name: [(value) => typeof value === 'string' && /^[^\p{Cc}]{1,100}$/u.test(value), 'a text of 1 to 100 characters'],
    suffix: [(value) => typeof value === 'string' && DOMAIN_NAME.test(value), 'a name in lower case'],
    weight: [
      (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100,
      'an integer from 0 to 100',
    ],
    removalUrl: [(value) => value === null || isWebAddress(value), 'an http or https URL, or null'],
    access: [(value) => isOneOf(value, ZONE_ACCESSES), `one of ${ZONE_ACCESSES.join(', ')}`],
    testPoints: [isTestPoints, '{"listed": name, "clear": name} without the name of the zone'],
  };
  const read: Record<string, unknown> = {};
  for (const [field, [isRight, what]] of Object.entries(rules)) {
    const value = entry[field];
    if (value === undefined) continue;
    // The value is not repeated: a suffix may contain a key.
    if (isRight(value)) read[field] = value;
    else problems.push(`${place}: ${field} must be ${what}`);
  }
  if (entry['codes'] !== undefined) read['codes'] = parseCodes(entry['codes'], place, problems);
  return read;
}

function parseCodes(codes: unknown, place: string, problems: Problems): ZoneCode[] {
  if (!Array.isArray(codes)) {
    problems.push(`${place}: codes must be a list of {answer, means, label}`);
    return [];
  }
  return (codes as unknown[]).flatMap((code, at) => {
    const { answer, means, label = answer } = isObject(code) ? code : {};
    const where = `${place}: codes[${at}]`;
    const before = problems.length;
    if (typeof answer !== 'string' || parseCode(answer) === null) {
      problems.push(`${where}.answer must be like 127.0.0.2, 127.0.0.4-127.0.0.7 or &8`);
    }
    if (!isOneOf(means, CODE_MEANINGS)) problems.push(`${where}.means must be one of ${CODE_MEANINGS.join(', ')}`);
    if (typeof label !== 'string' || label.length > 200) problems.push(`${where}.label must be a text`);
    if (isObject(code)) problems.push(...listUnknownFields(code, ['answer', 'means', 'label'], where));
    return problems.length === before ? [{ answer, means, label } as ZoneCode] : [];
  });
}

function isTestPoints(value: unknown): value is TestPoints {
  if (!isObject(value) || Object.keys(value).length !== 2) return false;
  return [value['listed'], value['clear']].every((name) => typeof name === 'string' && TEST_POINT.test(name));
}

function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function listUnknownFields(value: Json, known: readonly string[], place: string): Problems {
  const unknown = Object.keys(value).filter((field) => !known.includes(field));
  return unknown.map((field) => `${place}: there is no field ${field}`);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOneOf<const T extends string>(value: unknown, all: readonly T[]): value is T {
  return (all as readonly unknown[]).includes(value);
}
