import { AsyncLocalStorage } from 'node:async_hooks';
import { CampaignCountersService, CampaignsService, CampaignStatusService } from '@domain/campaigns';
import { SuppressionsService } from '@domain/suppressions';
import { WorkspacesService } from '@domain/identity';
import { DEEP } from '@testing';
import { LeadInsertionService } from '../lead-insertion.service';
import { LeadRecord } from '../schemas/lead.record';
import { type ImportedCampaign, ImportsFixture } from '../testing/imports-fixture';
import { BATCH_ROWS } from './import-batches';
import { CHUNK_BYTES } from './lead-import.repository';
import { LeadImportJobService } from './lead-import-job.service';
import { LeadImportsService } from './lead-imports.service';
import { LeadImportChunkRecord } from './schemas/lead-import-chunk.record';
import { LeadImportRefusalRecord } from './schemas/lead-import-refusal.record';
import { LeadImportRecord } from './schemas/lead-import.record';

const NOTHING = {
  rows: 0, created: 0, duplicate: 0, invalidAddress: 0, suppressed: 0, missingColumns: 0, extraColumns: 0,
  invalidValue: 0, overLimit: 0,
}; // prettier-ignore

/** Runs a concurrent change: outside of the running transaction. */
const outside = AsyncLocalStorage.snapshot();

let fixture: ImportsFixture;
let at: ImportedCampaign;

beforeAll(async () => {
  fixture = await ImportsFixture.open();
});
afterAll(() => fixture.database.close());
beforeEach(async () => {
  at = await fixture.campaign();
});
afterEach(() => jest.restoreAllMocks());

const ofWorkspace = () => ({ workspaceId: at.workspace.workspaceId });
const leads = () => fixture.model<LeadRecord>(LeadRecord).find(ofWorkspace()).sort({ email: 1 }).lean();
const chunks = () => fixture.model<LeadImportChunkRecord>(LeadImportChunkRecord).countDocuments(ofWorkspace());

/** Rows of which every seventh is refused, with quotes, line ends within them, and occasional blank lines. */
function rowsOf(count: number): string {
  return Array.from({ length: count }, (_none, index) => {
    if (index % 7 === 3) return `"no address ""${index}""";Ädä;"a\nb"`;
    if (index % 7 === 5) return `person${index - 1}@example.com;"again; ${index}"`;
    const row = `person${index}@example.com;"Ädä\r\n${index}";${index}`;
    return index % 50 === 0 ? `${row}\n\n;;` : row;
  }).join('\n');
}

it('creates leads from the rows, and lists each refused row with its reason', async () => {
  await fixture.get(SuppressionsService).add(at.workspace, { domains: ['stop.example'] }, { source: 'manual' });
  const file = [
    'E-Mail,Vorname,Time zone,Company size',
    ' Ada@Example.COM ,Ada,Europe/Berlin,"1,000"',
    'ada@example.com,Again',
    'nobody@',
    'x@mail.stop.example,X',
    '',
    ',,,',
    'b@example.com,B,Europe/Berlin,5,too many',
    'c@example.com,C,Nowhere/City,5',
    "d@example.com,=cmd|'/c calc'!A1,,",
    ',no address,,',
  ].join('\r\n');
  const { _id, ...created } = await fixture.upload(at, file, { fileName: 'fair.csv' });
  expect(created).toMatchObject({
    campaignId: at.campaignId,
    fileName: 'fair.csv',
    status: 'pending',
    encoding: 'utf-8',
    delimiter: 'comma',
    hasHeader: true,
    mapping: [
      { column: 1, header: 'E-Mail', field: 'email' },
      { column: 2, header: 'Vorname', field: 'firstName' },
      { column: 3, header: 'Time zone', field: 'timezone' },
      { column: 4, header: 'Company size', field: 'variables.companySize' },
    ],
    counts: NOTHING,
    error: null,
    startedAt: null,
    completedAt: null,
  });
  await fixture.run(at, _id);
  expect(await fixture.read(at, _id)).toMatchObject({
    status: 'completed',
    progress: 100,
    error: null,
    counts: {
      ...NOTHING, rows: 8, created: 2, duplicate: 1, invalidAddress: 2, suppressed: 1, extraColumns: 1, invalidValue: 1,
    }, // prettier-ignore
    startedAt: expect.any(String) as unknown,
    completedAt: expect.any(String) as unknown,
  });
  expect(await leads()).toMatchObject([
    { email: 'ada@example.com', firstName: 'Ada', timezone: 'Europe/Berlin', variables: { companySize: '1,000' } },
    { email: 'd@example.com', firstName: "=cmd|'/c calc'!A1", timezone: null, variables: {} },
  ]);
  expect((await fixture.refused(at, _id)).split('\r\n')).toEqual([
    '\ufeffimportRow,importReason,importDetail,E-Mail,Vorname,Time zone,Company size',
    '3,duplicate,,ada@example.com,Again',
    '4,invalid_address,there is nothing after @,nobody@',
    '5,suppressed,,x@mail.stop.example,X',
    '8,extra_columns,"the row has 5 columns, the file 4",b@example.com,B,Europe/Berlin,5,too many',
    '9,invalid_value,timezone must be an IANA time zone name,c@example.com,C,Nowhere/City,5',
    '11,invalid_address,it is empty,,no address,,',
    '',
  ]);
  expect(await chunks()).toBe(0);
});

it('distinguishes a lead that was removed after an email from an existing one', async () => {
  const { _id } = await fixture.upload(at, 'email\nthere@x.example\ngone@x.example\n');
  await fixture.run(at, _id);
  const gone = { ...ofWorkspace(), email: 'gone@x.example' };
  await fixture.model<LeadRecord>(LeadRecord).updateOne(gone, { $set: { status: 'removed', sentCount: 1 } });
  const again = await fixture.upload(at, 'email\nthere@x.example\ngone@x.example\n');
  await fixture.run(at, again._id);
  expect((await fixture.refused(at, again._id)).split('\r\n').slice(1, -1)).toEqual([
    '2,duplicate,,there@x.example',
    '3,duplicate,the lead was removed from this campaign after it had received emails,gone@x.example',
  ]);
});

it('escapes formulas in the refused rows', async () => {
  const { _id } = await fixture.upload(at, 'Email;Name\n=1+1;@SUM(A1)\n+x;-1\nno;\tx\n');
  await fixture.run(at, _id);
  const lines = (await fixture.refused(at, _id)).split('\r\n');
  expect(lines.slice(1, -1).map((line) => line.split(';').slice(3))).toEqual([
    ["'=1+1", "'@SUM(A1)"],
    ["'+x", "'-1"],
    ['no', "'\tx"],
  ]);
});

it.each([
  ['utf-16le', Buffer.from('\ufeffemail\tname\nada@example.com\tÄ €\n', 'utf16le')],
  ['utf-16be', Buffer.from('\ufeffemail\tname\nada@example.com\tÄ €\n', 'utf16le').swap16()],
  ['windows-1252', Buffer.from('email\tname\nada@example.com\t\xc4 \x80\n', 'latin1')],
])('reads a file in %s and reports it', async (encoding, file) => {
  const { _id, ...created } = await fixture.upload(at, file, {}, 5);
  expect(created).toMatchObject({ encoding, delimiter: 'tab' });
  await fixture.run(at, _id);
  expect(await leads()).toMatchObject([{ email: 'ada@example.com', variables: { name: 'Ä €' } }]);
});

describe('an import that is killed', () => {
  /** Of seven rows one has no address, and one repeats the row before. */
  const SEVENS = DEEP ? 500 : 200;
  const COUNT = 7 * SEVENS;
  const BATCHES = Math.ceil(COUNT / BATCH_ROWS);
  const EXPECTED = { ...NOTHING, rows: COUNT, created: 5 * SEVENS, duplicate: SEVENS, invalidAddress: SEVENS };

  async function expectExact(importId: string): Promise<void> {
    expect(await fixture.read(at, importId)).toMatchObject({ status: 'completed', counts: EXPECTED });
    expect(await leads()).toHaveLength(EXPECTED.created);
    const sums = await fixture.get(CampaignCountersService).sum(at.workspace.workspaceId, [at.campaignId]);
    expect(sums.get(at.campaignId)?.leads).toMatchObject({ total: EXPECTED.created, active: EXPECTED.created });
    const lines = (await fixture.refused(at, importId)).match(/^\d+;(duplicate|invalid_address);/gm);
    expect(new Set(lines).size).toBe(2 * SEVENS);
    expect(lines).toHaveLength(2 * SEVENS);
  }

  it.each([...Array(BATCHES).keys()])('in batch %d continues there, and repeats and loses nothing', async (batch) => {
    const { _id } = await fixture.upload(at, `Email;First name;No\n${rowsOf(COUNT)}`);
    const insertion = fixture.get(LeadInsertionService);
    const insert = insertion.insert.bind(insertion);
    let calls = 0;
    jest.spyOn(insertion, 'insert').mockImplementation(async (...args) => {
      const inserted = await insert(...args);
      // Between the leads and the position: a part outside of the transaction would show here.
      if (calls++ === batch) throw new Error('killed');
      return inserted;
    });
    await expect(fixture.run(at, _id)).rejects.toThrow('killed');
    const { counts, status } = await fixture.read(at, _id);
    expect({ rows: counts.rows, status }).toEqual({ rows: batch * BATCH_ROWS, status: 'processing' });
    await fixture.run(at, _id);
    await expectExact(_id);
  });

  it('after each batch still processes every row once', async () => {
    const { _id } = await fixture.upload(at, `Email;First name;No\n${rowsOf(COUNT)}`);
    const insertion = fixture.get(LeadInsertionService);
    const insert = insertion.insert.bind(insertion);
    for (let run = 0; run < BATCHES; run += 1) {
      const stop = new AbortController();
      jest.spyOn(insertion, 'insert').mockImplementation((...args) => {
        stop.abort(new Error('The worker is stopping'));
        return insert(...args);
      });
      await fixture.run(at, _id, stop.signal).catch((error: unknown) => expect(error).toEqual(stop.signal.reason));
    }
    jest.restoreAllMocks();
    await fixture.run(at, _id);
    await expectExact(_id);
  });

  it.each(DEEP ? [1, 2, 10] : [1, 10])(
    'is processed once by two workers that both hold it for their own, the second for %d batches',
    async (batches) => {
      const { _id } = await fixture.upload(at, `Email;First name;No\n${rowsOf(COUNT)}`);
      const insertion = fixture.get(LeadInsertionService);
      const insert = insertion.insert.bind(insertion);
      const stop = new AbortController();
      let second: Promise<unknown> | undefined;
      let calls = 0;
      jest.spyOn(insertion, 'insert').mockImplementation(async (...args) => {
        if (second !== undefined) {
          if (++calls === batches) stop.abort(new Error('The worker is stopping'));
          return insert(...args);
        }
        // As if the first worker's lease had expired in between.
        const imports = fixture.model<LeadImportRecord>(LeadImportRecord);
        await outside(() => imports.updateMany(ofWorkspace(), { leaseUntil: new Date(0) }).exec());
        second = outside(() => fixture.run(at, _id, stop.signal)).catch((error: unknown) => error);
        expect(await second).toBe(stop.signal.reason);
        return insert(...args);
      });
      await fixture.run(at, _id);
      jest.restoreAllMocks();
      await fixture.run(at, _id);
      await expectExact(_id);
    },
  );
});

it('is not run by a second worker while the first one holds its lease', async () => {
  const { _id } = await fixture.upload(at, 'Email\na@example.com\n');
  const insertion = fixture.get(LeadInsertionService);
  const insert = insertion.insert.bind(insertion);
  const spy = jest.spyOn(insertion, 'insert').mockImplementation(async (...args) => {
    await outside(() => fixture.run(at, _id));
    return insert(...args);
  });
  await fixture.run(at, _id);
  expect(spy).toHaveBeenCalledTimes(1);
  expect(await fixture.read(at, _id)).toMatchObject({ status: 'completed', counts: { created: 1 } });
});

it('continues at the right byte in a file of many parts, wherever the parts are cut', async () => {
  const note = `"${'ä;""\n'.repeat(100)}"`;
  // Long rows: a batch is full by its bytes.
  const names = Array.from({ length: 20 }, (_none, index) => `note${index}`);
  const notes = names.map(() => note).join(';');
  const rows = Array.from({ length: 200 }, (_none, index) => `p${index}@example.com;${notes}`);
  const file = `email;${names.join(';')}\n${rows.join('\r\n')}`;
  const { _id } = await fixture.upload(at, file);
  expect(await chunks()).toBe(Math.ceil(Buffer.byteLength(file) / CHUNK_BYTES));
  const insertion = fixture.get(LeadInsertionService);
  const insert = insertion.insert.bind(insertion);
  let calls = 0;
  jest.spyOn(insertion, 'insert').mockImplementation((...args) => {
    if (++calls % 2 === 0) throw new Error('killed');
    return insert(...args);
  });
  let runs = 0;
  while ((await fixture.read(at, _id)).status !== 'completed' && ++runs < 20)
    await fixture.run(at, _id).catch(() => undefined);
  expect(runs).toBeGreaterThan(2);
  expect(await fixture.read(at, _id)).toMatchObject({ counts: { ...NOTHING, rows: 200, created: 200 } });
  const text = note.slice(1, -1).replaceAll('""', '"').trim();
  expect((await leads()).every(({ variables }) => names.every((name) => variables[name] === text))).toBe(true);
});

it('runs concurrently with other imports into the same campaign that have leads in common', async () => {
  const rows = Array.from({ length: 1_200 }, (_none, index) => `p${index}@example.com`);
  const ids: string[] = [];
  for (const file of [rows, rows.toReversed(), rows])
    ids.push((await fixture.upload(at, `email\n${file.join('\n')}`))._id);
  await Promise.all(ids.map((id) => fixture.run(at, id)));
  const done = await Promise.all(ids.map((id) => fixture.read(at, id)));
  expect(done.map(({ status, counts }) => [status, counts.rows])).toEqual(ids.map(() => ['completed', 1_200]));
  const sum = (count: 'created' | 'duplicate') => done.reduce((total, { counts }) => total + counts[count], 0);
  expect({ created: sum('created'), duplicate: sum('duplicate') }).toEqual({ created: 1_200, duplicate: 2_400 });
  expect(await leads()).toHaveLength(1_200);
});

it('imports up to the workspace’s limit of leads, and reports that the rest was omitted', async () => {
  const operator = fixture.get(WorkspacesService);
  await operator.setLimits(at.workspace, { maxLeads: 1_137 });
  const rows = Array.from({ length: 1_300 }, (_none, index) => `p${index}@example.com`);
  const { _id } = await fixture.upload(at, `email\n${rows.join('\n')}`);
  await fixture.run(at, _id);
  expect(await fixture.read(at, _id)).toMatchObject({
    status: 'completed',
    error: { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('163 rows were left out') as unknown },
    counts: { ...NOTHING, rows: 1_300, created: 1_137, overLimit: 163 },
  });
  expect(await leads()).toHaveLength(1_137);
  expect((await fixture.refused(at, _id)).split('\r\n')[1]).toMatch(/^1139,over_limit,.*,p1137@example.com$/);
});

describe('an import whose campaign', () => {
  it('was deleted meanwhile fails with the reason', async () => {
    const { _id } = await fixture.upload(at, 'email\na@example.com\n');
    await fixture.get(CampaignsService).delete(at.workspace, at.campaignId);
    await fixture.run(at, _id);
    const record = await fixture
      .model<LeadImportRecord>(LeadImportRecord)
      .findOne({ ...ofWorkspace(), _id })
      .lean();
    expect(record).toMatchObject({ status: 'failed', error: { code: 'NOT_FOUND', message: 'Campaign not found' } });
    expect(await chunks()).toBe(0);
  });

  it('was archived meanwhile fails with the reason', async () => {
    const { _id } = await fixture.upload(at, 'email\na@example.com\n');
    await fixture.get(CampaignStatusService).archive(at.workspace, at.campaignId);
    await fixture.run(at, _id);
    expect(await fixture.read(at, _id)).toMatchObject({
      status: 'failed',
      error: { code: 'CONFLICT' },
      counts: NOTHING,
    });
    await expect(fixture.upload(at, 'email\na@example.com\n')).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

it('an import fails at an unclosed quote, naming the row, with the rows before it imported', async () => {
  const { _id } = await fixture.upload(at, 'email,note\na@example.com,x\nb@example.com,"open\nc@example.com,y\n');
  await fixture.run(at, _id);
  expect(await fixture.read(at, _id)).toMatchObject({
    status: 'failed',
    error: { code: 'CSV_UNREADABLE', message: 'Row 3 of the file has a quote that is opened and never closed' },
    counts: { ...NOTHING, rows: 1, created: 1 },
  });
});

it('an import fails if its file is missing', async () => {
  const { _id } = await fixture.upload(at, `email\n${'a@example.com\n'.repeat(100)}`);
  await fixture.model<LeadImportChunkRecord>(LeadImportChunkRecord).deleteMany(ofWorkspace());
  await fixture.run(at, _id);
  expect(await fixture.read(at, _id)).toMatchObject({ status: 'failed', error: { code: 'IMPORT_FILE_GONE' } });
});

it('an import is given up after twenty runs without progress', async () => {
  const { _id } = await fixture.upload(at, 'email\na@example.com\n');
  const insertion = jest.spyOn(fixture.get(LeadInsertionService), 'insert').mockRejectedValue(new Error('broken'));
  for (let run = 0; run < 20; run += 1) await expect(fixture.run(at, _id)).rejects.toThrow('broken');
  await fixture.run(at, _id);
  expect(insertion).toHaveBeenCalledTimes(20);
  expect(await fixture.read(at, _id)).toMatchObject({ status: 'failed', error: { code: 'IMPORT_STUCK' } });
});

it('an import creates no more leads after its cancellation, even in the current batch', async () => {
  const { _id } = await fixture.upload(at, `email\n${rowsOf(1_400)}`, { delimiter: 'semicolon' });
  const insertion = fixture.get(LeadInsertionService);
  const insert = insertion.insert.bind(insertion);
  let calls = 0;
  jest.spyOn(insertion, 'insert').mockImplementation(async (...args) => {
    if (++calls === 2) await outside(() => fixture.get(LeadImportsService).cancel(at.workspace, at.campaignId, _id));
    return insert(...args);
  });
  await fixture.run(at, _id);
  const { status, counts, completedAt } = await fixture.read(at, _id);
  expect({ status, rows: counts.rows }).toEqual({ status: 'cancelled', rows: BATCH_ROWS });
  expect(completedAt).not.toBeNull();
  expect(await leads()).toHaveLength(counts.created);
  expect(await chunks()).toBe(0);
});

describe('the sweep', () => {
  it('removes files of uploads that were interrupted with their process, after an hour', async () => {
    const files = fixture.model<LeadImportChunkRecord>(LeadImportChunkRecord);
    const { _id } = await fixture.upload(at, 'email\na@example.com\n');
    await fixture.model<LeadImportRecord>(LeadImportRecord).deleteOne({ ...ofWorkspace(), _id });
    const { _id: waiting } = await fixture.upload(at, 'email\nb@example.com\n');
    await fixture.get(LeadImportJobService).sweep();
    expect(await chunks()).toBe(2);
    fixture.database.clock.advance(3_600_001);
    await fixture.get(LeadImportJobService).sweep();
    fixture.database.clock.reset();
    expect(await files.find(ofWorkspace()).distinct('importId', ofWorkspace())).toEqual([expect.objectContaining({})]);
    expect(await files.countDocuments({ ...ofWorkspace(), importId: waiting })).toBe(1);
  });
});

it('deletes the refused rows after thirty days', async () => {
  const { _id } = await fixture.upload(at, 'email\nno\n');
  await fixture.run(at, _id);
  const refusals = fixture.model<LeadImportRefusalRecord>(LeadImportRefusalRecord);
  const [refusal] = await refusals.find(ofWorkspace()).lean();
  expect(Math.round((refusal!.expiresAt.getTime() - Date.now()) / 86_400_000)).toBe(30);
  fixture.database.clock.advance(30 * 86_400_000 + 60_000);
  await expect(fixture.refused(at, _id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  fixture.database.clock.reset();
});

it('a workspace may have ten waiting imports at a time', async () => {
  for (let count = 0; count < 10; count += 1) await fixture.upload(at, 'email\na@example.com\n');
  await expect(fixture.upload(at, 'email\na@example.com\n')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  expect(await chunks()).toBe(10);
});
