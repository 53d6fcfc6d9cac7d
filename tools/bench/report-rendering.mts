import { loadBuilt } from './built.mts';

const FIGURES = ['contacted', 'sent', 'opened', 'clicked', 'replied', 'positiveReplied', 'bounced', 'unsubscribed', 'autoReplied', 'complained'] as const; // prettier-ignore

type Figures = Record<(typeof FIGURES)[number], number>;

export interface Chart {
  readonly height: number;
  readonly option: object;
}

export interface Renderer {
  render(facts: object): Promise<{ html: string; images: readonly { png: Buffer }[] }>;
  charts(facts: typeof FACTS): Chart[];
}

interface Built {
  renderReport: Renderer['render'];
  createDayCharts(days: object): Chart[];
  createCampaignChart(facts: object): Chart;
  createMailboxChart(mailboxes: object): Chart;
}

/** The renderer of reports, without its worker thread. */
export function createRenderer(): Renderer {
  const { renderReport, createDayCharts, createCampaignChart, createMailboxChart } = loadBuilt<Built>(
    'renderReport',
    'createDayCharts',
    'createCampaignChart',
    'createMailboxChart',
  );
  return {
    render: renderReport,
    charts: (facts) => [
      ...createDayCharts(facts.days),
      createCampaignChart(facts),
      createMailboxChart(facts.mailboxes),
    ],
  };
}

function figures(scale: number): Figures {
  return Object.fromEntries(
    FIGURES.map((figure, index) => [figure, Math.round((scale * 100) / (index + 1))]),
  ) as Figures;
}

/** A week of a full workspace. */
export const FACTS = {
  workspaceName: 'Acme Growth',
  readerName: 'Ada',
  reportType: 'workspace',
  about: [],
  period: { frequency: 'weekly', first: '2026-11-09', last: '2026-11-15', timezone: 'Europe/Berlin' },
  figures: figures(50),
  before: figures(40),
  days: Array.from({ length: 7 }, (_, day) => ({
    day: `2026-11-${String(9 + day).padStart(2, '0')}`,
    figures: figures(day),
  })),
  campaigns: {
    shown: Array.from({ length: 10 }, (_, index) => ({
      id: `c${index}`,
      name: `Campaign ${index}`,
      figures: figures(10 - index),
    })),
    rest: { count: 990, figures: figures(100) },
  },
  mailboxes: {
    total: 1_000,
    states: { disconnected: 10, stopped: 5, unreachable: 5, switched_off: 20, paused: 60, ready: 900 },
    health: { good: 800, fair: 100, poor: 50, unknown: 50 },
    inWarmup: 200,
    dailyLimit: 45_000,
    shown: Array.from({ length: 8 }, (_, index) => ({
      email: `sender${index}@acme.example`,
      state: 'ready',
      healthScore: 90,
      warmup: 'in_progress',
      dailyLimit: 50,
      sent: 100,
      replied: 5,
      bounced: 1,
    })),
  },
  attention: {
    items: Array.from({ length: 12 }, (_, index) => ({
      severity: 'warning',
      sentence: `Sentence ${index} about what needs a person.`,
    })),
    more: 3,
  },
  madeAt: '2026-11-16T07:00:00.000Z',
  publicUrl: 'https://outreach.acme.example',
};
