import { busyWeek, quietWeek } from '../testing/facts';
import { hostileWeek } from '../testing/hostile-facts';
import { decodePng } from '../testing/png';
import { type Chart } from './chart';
import { renderChart } from './chart-painter';
import { CHART_WIDTH, COLOURS, getShownHeight } from './chart-theme';
import { createCampaignChart, createDayCharts } from './figure-charts';
import { createMailboxChart } from './mailbox-charts';

const MAX_BYTES = 60 * 1024;

function createCharts(facts: ReturnType<typeof busyWeek>): Chart[] {
  const all = [...createDayCharts(facts.days), createCampaignChart(facts), createMailboxChart(facts.mailboxes)];
  return all.filter((chart) => chart !== null);
}

describe('the charts of a report', () => {
  it.each([
    ['activity', [COLOURS.sent, COLOURS.opened]],
    ['answers', [COLOURS.replied, COLOURS.positive, COLOURS.bounced]],
    ['campaigns', [COLOURS.positive, COLOURS.replied]],
    ['mailboxes', [COLOURS.good, COLOURS.fair, COLOURS.poor, COLOURS.none]],
  ])('%s is a picture with its own background and twice the shown resolution', async (name, colours) => {
    const chart = createCharts(busyWeek()).find((one) => one.name === name);
    if (!chart) throw new Error('Not drawn');
    const png = await renderChart(chart);
    const { width, height, colours: seen } = decodePng(png);
    expect(width).toBe(CHART_WIDTH * 2);
    expect(Math.abs(height - getShownHeight(chart.height) * 2)).toBeLessThanOrEqual(2);
    for (const colour of [COLOURS.paper, ...colours]) expect(seen).toContain(colour);
    // Text has many shades between foreground and background. Without the font there would be none.
    expect(seen.size).toBeGreaterThan(60);
    expect(png.length).toBeLessThan(MAX_BYTES);
  });

  it('stay small with the maximum content', async () => {
    for (const chart of createCharts(hostileWeek())) expect((await renderChart(chart)).length).toBeLessThan(MAX_BYTES);
  });

  it('are identical each time they are drawn', async () => {
    const [chart] = createCharts(busyWeek());
    if (!chart) throw new Error('Not drawn');
    expect((await renderChart(chart)).equals(await renderChart(chart))).toBe(true);
  });

  it('have a text alternative', () => {
    const [activity, answers, campaigns, mailboxes] = createCharts(busyWeek()).map(({ alt }) => alt);
    expect(activity).toContain('Emails sent: 1,294 (9 Nov 260, 10 Nov 338,');
    expect(answers).toContain('Bounces: 4 (9 Nov 0,');
    expect(campaigns).toContain('Autumn outreach DACH 11 of 24; Founders, Series A 8 of 19');
    expect(mailboxes).toContain('Of 24 mailboxes: 19 ready, 2 paused,');
  });

  it('name the best one of many days', () => {
    expect(createDayCharts(hostileWeek().days)[0]?.alt).toMatch(
      /^Emails sent: [\d,]+, most on \w{3}, \d+ Oct \(\d+\)\./,
    );
  });

  it('are omitted if they are empty', () => {
    const { mailboxes, ...facts } = quietWeek();
    expect(createCampaignChart(facts)).toBeNull();
    expect(createMailboxChart(mailboxes)).toBeNull();
  });
});
