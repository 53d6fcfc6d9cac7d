import { setInterval as every } from 'node:timers';
import { ImportsFixture } from '../testing/imports.fixture';
import { LeadImportUpload } from './leads.import.upload.service';

it('bench', async () => {
  const fixture = await ImportsFixture.open();
  const at = await fixture.campaign();
  const COUNT = Number(process.env.ROWS ?? 100_000);
  let peak = 0;
  const sample = () => (peak = Math.max(peak, process.memoryUsage().rss));
  const timer = every(sample, 20);
  async function* file() {
    let text = 'Email,First name,Last name,Company,Title,Revenue\n';
    for (let i = 0; i < COUNT; i += 1) {
      text += `person.${i}@company${i % 5000}.example,Ada${i},Lovelace,"Company ${i}, Inc.",Head of Sales,${i}\n`;
      if (text.length > 65_536) {
        yield Buffer.from(text);
        text = '';
      }
    }
    yield Buffer.from(text);
  }
  global.gc?.();
  const base = process.memoryUsage().rss;
  let t = performance.now();
  const { _id } = await fixture.get(LeadImportUpload).receive(at.workspace, at.campaignId, {}, file());
  const up = performance.now() - t;
  const upPeak = peak;
  peak = 0;
  const cpu = process.cpuUsage();
  t = performance.now();
  await fixture.run(at, _id);
  const ms = performance.now() - t;
  const used = process.cpuUsage(cpu);
  clearInterval(timer);
  const r = await fixture.read(at, _id);
  require('fs').writeFileSync(
    '/tmp/bench4/out-' + COUNT + '.json',
    JSON.stringify({
      COUNT,
      up,
      ms,
      rowsPerS: (COUNT / ms) * 1000,
      cpuUsPerRow: (used.user + used.system) / COUNT,
      base: base / 1e6,
      upPeak: upPeak / 1e6,
      peak: peak / 1e6,
      counts: r.counts,
      status: r.status,
    }),
  );
  await fixture.database.close();
}, 3_000_000);
