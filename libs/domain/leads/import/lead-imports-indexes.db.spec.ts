import { type LeadImportResponse } from './dto/lead-import.dto';
import { ImportsFixture, type ImportedCampaign } from '../testing/imports-fixture';
import { LeadImportsService } from './lead-imports.service';
import { LeadImportChunkRecord } from './schemas/lead-import-chunk.record';
import { LeadImportRefusalRecord } from './schemas/lead-import-refusal.record';
import { LeadImportRecord } from './schemas/lead-import.record';
import { Types } from 'mongoose';

const CAMPAIGNS = 3;
const EACH = 3;
/** Other records: PostgreSQL reads a table of a few pages completely instead of using an index. */
const OTHERS = 2_000;

let fixture: ImportsFixture;
let mine: ImportedCampaign;
let last: LeadImportResponse;

beforeAll(async () => {
  fixture = await ImportsFixture.open();
  for (let campaign = 0; campaign < CAMPAIGNS; campaign += 1) {
    mine = await fixture.campaign();
    for (let count = 0; count < EACH; count += 1) {
      last = await fixture.upload(mine, 'email\nno\na@example.com\n');
      if (count > 0) await fixture.run(mine, last._id);
    }
  }
  for (const record of [LeadImportRecord, LeadImportChunkRecord, LeadImportRefusalRecord]) await addOthers(record);
});
afterAll(() => fixture.database.close());

async function addOthers(record: { name: string }): Promise<void> {
  const { collection } = fixture.model<object>(record);
  const some = (await collection.findOne({}))!;
  const workspaceId = new Types.ObjectId();
  const one = () => {
    const [importId, campaignId] = [new Types.ObjectId(), new Types.ObjectId()];
    const copy = {
      ...some,
      _id: new Types.ObjectId(),
      workspaceId,
      importId,
      campaignId,
      part: 1,
      createdAt: new Date(),
    };
    return Object.fromEntries(Object.entries(copy).filter(([name]) => name !== 'open'));
  };
  await collection.insertMany(Array.from({ length: OTHERS }, one));
}

const examined = (plan: unknown): number =>
  (plan as { executionStats: { totalDocsExamined: number } }).executionStats.totalDocsExamined;

it('lists the imports of a campaign without reading any other', async () => {
  const imports = fixture.model<LeadImportRecord>(LeadImportRecord);
  const find = jest.spyOn(imports, 'find');
  const { items } = await fixture.get(LeadImportsService).list(mine.workspace, mine.campaignId, { limit: 25 });
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  expect(items).toHaveLength(EACH);
  const plan = await imports
    .find(filter as never)
    .sort({ createdAt: -1, _id: -1 })
    .limit(26)
    .explain('executionStats');
  expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_campaignId_1_createdAt_-1__id_-1"');
  expect(examined(plan)).toBe(EACH);
});

it('finds open imports without reading completed ones', async () => {
  const plan = await fixture
    .model<LeadImportRecord>(LeadImportRecord)
    .find({ open: true })
    .setOptions({ allWorkspaces: 'as the sweep does' })
    .sort({ createdAt: 1 })
    .explain('executionStats');
  expect(JSON.stringify(plan)).toContain('"indexName":"open_1_createdAt_1"');
  expect(examined(plan)).toBe(CAMPAIGNS);
});

it.each([
  ['the parts of a file', LeadImportChunkRecord, { part: 0 }, 'workspaceId_1_importId_1_part_1'],
  ['the refused rows of an import', LeadImportRefusalRecord, {}, 'workspaceId_1_importId_1_row_1'],
])('finds %s by an index', async (_what, record, more, index) => {
  const { workspaceId } = mine.workspace;
  const importId = record === LeadImportChunkRecord ? undefined : last._id;
  const model = fixture.model<LeadImportRefusalRecord>(record);
  const one = await model.findOne({ workspaceId, ...(importId && { importId }) }).lean();
  const plan = await model.find({ workspaceId, importId: one!.importId, ...more }).explain('executionStats');
  expect(JSON.stringify(plan)).toContain(`"indexName":"${index}"`);
  expect(examined(plan)).toBe(1);
});

it('finds old files by an index, one entry for each', async () => {
  const plan = await fixture
    .model<LeadImportChunkRecord>(LeadImportChunkRecord)
    .find({ part: 0, createdAt: { $lt: new Date(0) } })
    .setOptions({ allWorkspaces: 'as the sweep does' })
    .explain('executionStats');
  expect(JSON.stringify(plan)).toContain('"indexName":"createdAt_1"');
});
