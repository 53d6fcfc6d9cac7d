import { writeFileSync } from 'node:fs';
import { busyWeek } from '../testing/facts';
import { campaignChart, dayCharts } from './figure.charts';
import { painted } from './chart.painter';
import { mailboxChart } from './mailbox.charts';

it('look', async () => {
  const facts = busyWeek();
  for (const chart of [...dayCharts(facts.days), campaignChart(facts), mailboxChart(facts.mailboxes)]) {
    if (!chart) continue;
    const t = performance.now();
    const png = await painted(chart);
    console.log(chart.name, png.length, performance.now() - t, chart.alt);
    writeFileSync(`/tmp/p9/w-R2/${chart.name}.png`, png);
  }
});
