import { parse } from 'csv-parse/sync';
import mongoose from 'mongoose';
import { Crowds, newLead } from './leads.mts';
import { MailSandbox } from './mail.mts';
import { alternate, heading, ratio, requireEffects, sample, showGoals, until } from './measure.mts';
import type { Goal, Stage } from './measure.mts';

const LIMIT_MS = 900_000;

type Counts = { rows: number; created: number; duplicate: number };
type Import = { _id: string; status: string; counts: Counts; completedAt: string | null };

/** Imports a CSV file through API and worker, compared with csv-parse and insertMany with the same indexes. */
export async function imports({ fixture, rounds, short }: Stage): Promise<Goal[]> {
  const rows = short ? 5_000 : 200_000;
  heading(`CSV import of ${rows} rows, against csv-parse and native insertMany with the same indexes`);
  const crowds = await Crowds.of(fixture);
  const worker = await fixture.app('worker', new MailSandbox().trust);
  // Every hundredth row repeats the address of the previous row.
  const toRow = (row: number) => `p${row % 100 === 99 ? row - 1 : row}@firm.test,Ada,"Engines, ${row % 5_000}"\n`;
  const csv = `email,firstName,companyName\n${Array.from({ length: rows }, (_, row) => toRow(row)).join('')}`;
  const duplicate = Math.floor(rows / 100);
  const created = rows - duplicate;
  const samples = await alternate(Math.min(rounds, 3), 'rows', {
    'csv-parse and insertMany': async () => {
      const copy = await crowds.copyIndexes('bare_import');
      const place = { workspaceId: crowds.workspaceId, campaignId: new mongoose.mongo.ObjectId() };
      return sample(rows, null, async () => {
        const parsed = parse<{ email: string }>(csv, { columns: true });
        const people = new Map(parsed.map((row) => [row.email, row]));
        const leads = [...people.values()].map((row) => newLead(place, { ...row }, new Date()));
        while (leads.length > 0) await copy.insertMany(leads.splice(0, 1_000), { writeConcern: { w: 'majority' } });
      });
    },
    /** From the first byte of the upload to the last row; the counts must match the file. */
    platform: async () => {
      const path = `/v1/campaigns/${(await crowds.draft()).campaignId.toHexString()}/leads`;
      const headers = { 'x-api-key': crowds.workspace.key, 'content-type': 'text/csv' };
      let ended: Import | undefined;
      const result = await sample(rows, worker, async () => {
        const answer = await fetch(`${crowds.api.url}${path}/import`, { method: 'POST', headers, body: csv });
        const { data } = (await answer.json()) as { data: Import };
        await until('imports ended', 1, LIMIT_MS, async () => {
          ended = await crowds.call<Import>('GET', `${path}/imports/${data._id}`);
          return Number(ended.completedAt !== null);
        });
      });
      const { status, counts } = ended ?? {};
      const expected = { status: 'completed', rows, created, duplicate };
      requireEffects(
        'import',
        { status, rows: counts?.rows, created: counts?.created, duplicate: counts?.duplicate },
        expected,
      );
      return result;
    },
  });
  const peak = worker.peakMib();
  await worker.stop();
  const value = ratio(samples.platform, samples['csv-parse and insertMany']);
  return showGoals([
    { what: 'rows/s / of the bare import', value, bound: { atLeast: 0.5 } },
    { what: 'worker at its highest', value: peak, bound: { below: 300 }, unit: ' MiB' },
  ]);
}
