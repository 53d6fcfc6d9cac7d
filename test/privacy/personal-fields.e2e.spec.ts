import { PERSONAL_COLLECTIONS, PersonalDataService, type SubjectErasure, type SubjectExport } from '@domain/privacy';
import { getConnectionToken } from '@nestjs/mongoose';
import { getDeclaration } from '@platform/database';
import { type PersonalCollection } from '@platform/personal-data';
import { type Connection, type Model, Schema, type SchemaDefinition, Types } from 'mongoose';
import { type Platform, startPlatform } from '../harness';
import { createMarkedRecord, type MarkedPerson } from './marked-record';
import { covers, listTextPaths } from './text-paths';

const ADA = 'mark.of.ada@leads.test';
const MARK = /mark\W+of/i;

let platform: Platform;
let models: ReadonlyMap<string, Model<unknown>>;

beforeAll(async () => {
  platform = await startPlatform({ worker: true });
  const connections = [platform.app, platform.worker!].map((app) => app.get<Connection>(getConnectionToken()));
  const all = connections.flatMap((connection) => Object.values(connection.models) as Model<unknown>[]);
  models = new Map(all.map((model) => [model.collection.collectionName, model]));
});
afterAll(() => platform.close());

const findPersonal = (name: string) => PERSONAL_COLLECTIONS.find(({ collection }) => collection === name);

describe('each text of each stored record', () => {
  const check = (
    find: (texts: readonly string[], owned: readonly string[], impersonal: readonly string[]) => string[],
  ) =>
    [...models].flatMap(([name, { schema }]) => {
      const texts = listTextPaths(schema).map(({ path }) => path);
      const { impersonal = {} } = getDeclaration(schema)!;
      const personal = findPersonal(name);
      return find(texts, personal ? listOwned(personal, texts) : [], Object.values(impersonal).flat()).map(
        (path) => `${name}.${path}`,
      );
    });

  it('is found in all collections of both processes', () => {
    expect(models.size).toBeGreaterThan(70);
    expect(check((texts) => [...texts]).length).toBeGreaterThan(400);
    expect(PERSONAL_COLLECTIONS.map(({ collection }) => collection).filter((name) => !models.has(name))).toEqual([]);
  });

  it('is owned by the personal data of its domain, or declared impersonal by its record', () => {
    const free = check((texts, owned, impersonal) =>
      texts.filter((path) => !owned.includes(path) && !covers(impersonal, path)),
    );
    expect(free).toEqual([]);
  });

  it('is not both', () => {
    const both = check((texts, owned, impersonal) =>
      texts.filter((path) => owned.includes(path) && covers(impersonal, path)),
    );
    expect(both).toEqual([]);
  });

  it('exists: no declaration outlives its field', () => {
    const stale = check((texts, _owned, impersonal) =>
      impersonal.filter((field) => !texts.some((path) => covers([field], path))),
    );
    expect(stale).toEqual([]);
    const claimed = PERSONAL_COLLECTIONS.flatMap(({ collection, erases }) => {
      const texts = listTextPaths(models.get(collection)!.schema).map(({ path }) => path);
      const fields = erases === 'all' ? [] : erases;
      return fields
        .filter((field) => !texts.some((path) => covers([field], path)))
        .map((field) => `${collection}.${field}`);
    });
    expect(claimed).toEqual([]);
  });

  it.each<[string, SchemaDefinition, string[]]>([
    ['a text', { note: String }, ['note']],
    [
      'a text of a closed list, and what is no text',
      { state: { type: String, enum: ['a'] }, at: Date, ids: [Number] },
      [],
    ],
    ['texts in a list', { notes: [String] }, ['notes']],
    [
      'a text in an embedded document, and in a list of them',
      { one: new Schema({ a: String }), all: [{ b: String }] },
      ['one.a', 'all.b'],
    ],
    ['a mixed value', { any: Schema.Types.Mixed }, ['any']],
    ['a map', { map: { type: Map, of: String } }, ['map', 'map.$*']],
    ['bytes', { bytes: Buffer }, ['bytes']],
  ])('is found in a schema: %s', (_what, fields, expected) => {
    const schema = new Schema(fields, { _id: false });
    expect(
      listTextPaths(schema)
        .map(({ path }) => path)
        .filter((path) => !path.endsWith('_id')),
    ).toEqual(expected);
  });
});

describe('a person whose mark is in every personal field of every collection', () => {
  let person: MarkedPerson;
  let marked: Record<string, string>;
  let exported: SubjectExport | null;
  let report: SubjectErasure | null;
  let workspaceId: string;

  beforeAll(async () => {
    ({ workspaceId } = await platform.seed.workspace());
    const id = () => new Types.ObjectId();
    person = { address: ADA, leadId: id(), sendId: id(), conversationId: id() };
    for (const personal of PERSONAL_COLLECTIONS) {
      const { collection, schema } = models.get(personal.collection)!;
      const record = createMarkedRecord(schema, personal, person);
      await collection.insertOne({ ...record, workspaceId: new Types.ObjectId(workspaceId) });
    }
    marked = await findMarked();
    const service = platform.app.get(PersonalDataService, { strict: false });
    exported = await service.export(workspaceId, ADA);
    report = await service.erase(workspaceId, ADA);
  });

  // The platform checks what the tests leave, and these records are of no process.
  afterAll(async () => {
    const filter = { workspaceId: new Types.ObjectId(workspaceId) };
    for (const { collection } of PERSONAL_COLLECTIONS) await models.get(collection)!.collection.deleteMany(filter);
  });

  it('is known to all of them', () => {
    const withTexts = PERSONAL_COLLECTIONS.filter(
      (personal) =>
        listOwned(
          personal,
          listTextPaths(models.get(personal.collection)!.schema).map(({ path }) => path),
        ).length > 0,
    );
    expect(Object.keys(marked).toSorted()).toEqual(withTexts.map(({ collection }) => collection).toSorted());
  });

  it('is exported from all of them', () => {
    expect(Object.keys(exported?.records ?? {})).toEqual(PERSONAL_COLLECTIONS.map(({ collection }) => collection));
  });

  it('is erased from all of them, and remains only where a provider says that it stays', async () => {
    const erased = Object.fromEntries(PERSONAL_COLLECTIONS.map(({ collection }) => [collection, 1]));
    expect(report).toMatchObject({ erased, onTheirWay: 0 });
    expect(await findMarked()).toEqual({});
  });

  /** Searches every collection of the database, also those without a model, except what stays. */
  async function findMarked(): Promise<Record<string, string>> {
    const { db } = platform.app.get<Connection>(getConnectionToken());
    const found: Record<string, string> = {};
    for (const { name } of await db!.listCollections().toArray()) {
      const retained = Object.values(findPersonal(name)?.retains ?? {}).flat();
      for await (const record of db!.collection(name).find()) {
        for (const field of retained) delete record[field];
        const text = JSON.stringify(record);
        if (MARK.test(text)) found[name] = text;
      }
    }
    return found;
  }
});

function listOwned({ erases, retains = {} }: PersonalCollection, texts: readonly string[]): string[] {
  if (erases === 'all') return [...texts];
  return texts.filter((path) => covers([...erases, ...Object.values(retains).flat()], path));
}
