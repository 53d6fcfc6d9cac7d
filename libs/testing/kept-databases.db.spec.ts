import { Collection, DatabaseModule } from '@platform/database';
import { type ModuleMetadata } from '@nestjs/common';
import { getConnectionToken, Prop } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';
import { openTestDatabase, type TestDatabase } from './test.module';

@Collection('kept_things', {
  tenant: { notBecause: 'a test' },
  indexes: [{ serves: 'one of a name', fields: { name: 1 }, unique: true }],
})
class KeptThing {
  @Prop() name!: string;
}

@Collection('kept_things', { tenant: { notBecause: 'a test' }, indexes: [{ serves: 'by size', fields: { size: 1 } }] })
class OtherThing {
  @Prop() size!: number;
}

const KEPT = process.env['TEST_DATABASES'];
const metadata = (record: new () => object): ModuleMetadata => ({ imports: [DatabaseModule.collections(record)] });

describe('reused test databases', () => {
  beforeAll(() => (process.env['TEST_DATABASES'] = 'kept'));
  afterAll(() => (process.env['TEST_DATABASES'] = KEPT));

  const databaseOf = (opened: TestDatabase) => opened.module.get<Connection>(getConnectionToken()).db!;

  /** Opens databases until this one is reused, after those that earlier suites of the worker left. */
  async function secondOf(first: string, record: new () => object): Promise<TestDatabase> {
    for (let tries = 0; tries < 100; tries += 1) {
      const opened = await openTestDatabase(metadata(record));
      if (databaseOf(opened).databaseName === first) return opened;
      await opened.close();
    }
    throw new Error('The database was never reused');
  }

  it('are empty, whatever was written before', async () => {
    const opened = await openTestDatabase(metadata(KeptThing));
    const database = databaseOf(opened);
    await database.collection('kept_things').insertOne({ name: 'Ada' });
    await database.collection('past_all_models').insertOne({ name: 'Ada' });
    await opened.close();
    const next = await secondOf(database.databaseName, KeptThing);
    expect(await databaseOf(next).collection('kept_things').countDocuments()).toBe(0);
    expect(await databaseOf(next).collection('past_all_models').countDocuments()).toBe(0);
    await next.close();
  });

  it('have exactly the indexes of the suite', async () => {
    const opened = await openTestDatabase(metadata(KeptThing));
    const { databaseName } = databaseOf(opened);
    await opened.close();
    const next = await secondOf(databaseName, OtherThing);
    const indexes = await databaseOf(next).collection('kept_things').indexes();
    expect(indexes.map(({ key }) => Object.keys(key as object))).toEqual([['_id'], ['size']]);
    await next.close();
  });
});
