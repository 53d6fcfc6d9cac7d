import type { Call } from './demo.campaign.mts';
import { figuresLine, reportOf, watchDemo } from './demo.report.mts';

const stats = (sent: number, replied = 0) => ({ sent, opened: 0, clicked: 0, replied, bounced: 0, unsubscribed: 0 });
const campaign = (sent: number, replied = 0) => ({
  name: 'Demo',
  status: 'active',
  stats: stats(sent, replied),
  leadCounts: { total: 2, active: 2 - replied },
});
const lead = (email: string, status: string, stopReason: string | null, resumeAt: string | null = null) => ({
  email,
  status,
  stopReason,
  resumeAt,
});

it('the line of counters has one figure each', () => {
  expect(figuresLine(campaign(2, 1))).toBe(
    'sent 2 · opened 0 · clicked 0 · replied 1 · bounced 0 · unsubscribed 0 · active 1 of 2',
  );
});

it('the report says of each lead where it stands, why, and what it answered', () => {
  const leads = [
    lead('sam@prospects.test', 'active', null),
    lead('joe@prospects.test', 'completed', 'replied'),
    lead('oscar@prospects.test', 'paused', 'auto_replied', '2026-12-02T00:00:00.000Z'),
  ];
  const text = reportOf(campaign(3, 1), leads, [{ email: 'joe@prospects.test', label: 'positive', preview: 'Gladly' }]);
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
    const call: Call = async <T,>(_method: string, path: string) => {
      asked.push(path);
      if (path !== '/campaigns/c') return [] as T;
      return (answers.length > 1 ? answers.shift() : answers[0]) as T;
    };
    await watchDemo({ call, campaignId: 'c', signal, write: (line) => lines.push(line), everyMs: 1, quietLooks: 3 });
    return { lines, asked };
  };

  it('shows each change once and ends in a report when nothing happens any more', async () => {
    const { lines, asked } = await watch([campaign(0), campaign(1), campaign(1), campaign(2, 1)]);
    expect(lines.slice(0, 3)).toEqual([campaign(0), campaign(1), campaign(2, 1)].map(figuresLine));
    expect(lines[3]).toContain('Report of the campaign “Demo”');
    expect(lines).toHaveLength(4);
    expect(asked).toContain('/inbox?campaignId=c&limit=100');
  });

  it('shows what is known besides the figures', async () => {
    const lines: string[] = [];
    const stop = new AbortController();
    const call: Call = async <T,>() => campaign(1) as T;
    const write = (line: string) => {
      lines.push(line);
      stop.abort();
    };
    await watchDemo({ call, campaignId: 'c', signal: stop.signal, write, besides: () => 'webhook told 3', everyMs: 1 });
    expect(lines).toEqual([`${figuresLine(campaign(1))} · webhook told 3`]);
  });

  it('says nothing more when the platform stops', async () => {
    const { lines } = await watch([campaign(1)], AbortSignal.abort());
    expect(lines).toEqual([]);
  });
});
