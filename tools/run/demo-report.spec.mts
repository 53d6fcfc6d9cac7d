import { createOutreach } from '../../clients/typescript/src/index.ts';
import { figuresLine, createReport, watchDemo } from './demo-report.mts';

const stats = (sent: number, replied = 0) => ({ sent, opened: 0, clicked: 0, replied, bounced: 0, unsubscribed: 0 });
const campaign = (sent: number, replied = 0) => ({
  name: 'Demo',
  status: 'active' as const,
  stats: stats(sent, replied),
  leadCounts: { total: 2, active: 2 - replied },
});
type Lead = Parameters<typeof createReport>[1][number];
const lead = (
  email: string,
  status: Lead['status'],
  stopReason: Lead['stopReason'],
  resumeAt: string | null = null,
): Lead => ({ email, status, stopReason, resumeAt });

/** A client with scripted campaign responses in order, without leads and conversations. */
function clientOf(answers: ReturnType<typeof campaign>[], asked: string[] = []) {
  const pagination = { limit: 100, total: 0, hasMore: false, nextCursor: null };
  return createOutreach({
    baseUrl: 'http://api',
    apiKey: 'sk_demo',
    fetch: async (url) => {
      const path = url.slice('http://api/v1'.length);
      asked.push(path);
      if (path !== '/campaigns/c') return Response.json({ success: true, data: [], pagination });
      return Response.json({ success: true, data: answers.length > 1 ? answers.shift() : answers[0] });
    },
  });
}

it('the line of counters has one figure each', () => {
  expect(figuresLine(campaign(2, 1))).toBe(
    'sent 2 · opened 0 · clicked 0 · replied 1 · bounced 0 · unsubscribed 0 · active 1 of 2',
  );
});

it('the report contains the state, the reason and the answer of each lead', () => {
  const leads = [
    lead('sam@prospects.test', 'active', null),
    lead('joe@prospects.test', 'completed', 'replied'),
    lead('oscar@prospects.test', 'paused', 'auto_replied', '2026-12-02T00:00:00.000Z'),
  ];
  const text = createReport(campaign(3, 1), leads, [
    { email: 'joe@prospects.test', label: 'positive', preview: 'Gladly' },
  ]);
  expect(text.split('\n').slice(3)).toEqual([
    '  joe                          completed, replied                 positive: “Gladly”',
    '  oscar                        paused, auto_replied until 2026-12-02',
    '  sam                          active',
  ]);
});

describe('the demo', () => {
  const watch = async (answers: ReturnType<typeof campaign>[], signal = new AbortController().signal) => {
    const lines: string[] = [];
    const asked: string[] = [];
    const outreach = clientOf(answers, asked);
    const write = (line: string) => lines.push(line);
    await watchDemo({ outreach, campaignId: 'c', signal, write, everyMs: 1, quietLooks: 3 });
    return { lines, asked };
  };

  it('prints each change once and ends with a report when nothing more happens', async () => {
    const { lines, asked } = await watch([campaign(0), campaign(1), campaign(1), campaign(2, 1)]);
    expect(lines.slice(0, 3)).toEqual([campaign(0), campaign(1), campaign(2, 1)].map(figuresLine));
    expect(lines[3]).toContain('Report of the campaign “Demo”');
    expect(lines).toHaveLength(4);
    expect(asked).toContain('/inbox?campaignId=c&limit=100');
  });

  it('prints what is known besides the figures', async () => {
    const lines: string[] = [];
    const stop = new AbortController();
    const outreach = clientOf([campaign(1)]);
    const write = (line: string) => {
      lines.push(line);
      stop.abort();
    };
    await watchDemo({
      outreach,
      campaignId: 'c',
      signal: stop.signal,
      write,
      besides: () => 'webhook messages 3',
      everyMs: 1,
    });
    expect(lines).toEqual([`${figuresLine(campaign(1))} · webhook messages 3`]);
  });

  it('prints nothing after the platform stops', async () => {
    const { lines } = await watch([campaign(1)], AbortSignal.abort());
    expect(lines).toEqual([]);
  });
});
