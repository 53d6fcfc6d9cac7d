import { type INestApplicationContext } from '@nestjs/common';
import { EVENT_TYPES } from '@domain/events';
import { SEND_STATES } from '@domain/sends';
import { MetricsService, OpsServerService } from '@platform/observability';
import { QUEUE_NAMES } from '@platform/queues';
import { periodicTasks } from '@domain/assembly';
import { type Platform, startPlatform } from '../harness';
import { filesIn, textOf } from './files';
import { alerts, askable, dashboard, expressions, faultsOf, type Known, recorded, rules } from './monitoring';
import { readExpression } from './promql';

/** Possible values of the platform’s labels, for rules and panels that name them. */
const VALUES: Record<string, readonly string[]> = {
  'outreach_sends_total state': SEND_STATES,
  'outreach:sends:rate5m state': SEND_STATES,
  'outreach_events_relayed_total type': [...EVENT_TYPES, 'email.+'],
  'outreach_event_batches_total outcome': ['relayed', 'conflict', 'error'],
  'outreach_mailboxes state': ['connected', 'degraded', 'disconnected', 'needs_reauthorisation'],
  'outreach:mailboxes:max state': ['connected', 'degraded', 'disconnected', 'needs_reauthorisation'],
  'outreach_transactions_total outcome': ['committed', 'failed', 'unavailable'],
  'outreach_sweep_duration_seconds_count outcome': ['done', 'failed'],
  'outreach_job_duration_seconds_count outcome': ['done'],
  'outreach_handover_duration_seconds_count outcome': ['fault'],
  'outreach_webhook_attempt_duration_seconds_count outcome': ['accepted', 'refused', 'unanswered'],
  'outreach_model_question_duration_seconds_count outcome': ['answered', 'aborted'],
  'outreach_outbound_request_duration_seconds_count outcome': ['answered', 'address_refused'],
  'outreach_crm_syncs_total outcome': ['completed', 'failed', 'cancelled'],
  'outreach_reports_total outcome': ['sent', 'failed', 'unknown', 'withheld', 'skipped'],
};
/** What does due work: queues and periodic tasks. */
const WORK: readonly string[] = [...QUEUE_NAMES, ...periodicTasks.map(({ name }) => name)];
/** Labels of other programs, with any value. */
const FREE = new Set(['job', 'instance', 'status', 'alertname', 'alertstate', 'severity']);

describe('monitoring', () => {
  let platform: Platform;
  let worker: INestApplicationContext;
  const scraped = { api: '', worker: '' };
  let scrapeable: Known;
  let known: Known;

  beforeAll(async () => {
    platform = await startPlatform({ worker: true });
    worker = platform.worker!;
    await platform.api.get('/health/live').expect(200);
    await platform.tick();
    scraped.api = await scrape(platform.app);
    scraped.worker = await scrape(worker);
    scrapeable = namesOf(scraped.worker, worker.get(MetricsService));
    known = askable(scrapeable);
  });
  afterAll(async () => {
    for (const app of [platform.app, worker]) await app.get(OpsServerService).close();
    await platform.close();
  });

  async function scrape(app: INestApplicationContext): Promise<string> {
    const port = await app.get(OpsServerService).listen(0, '127.0.0.1');
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    return answer.text();
  }

  /** Names as a process exposes them; labels as it declares them. */
  function namesOf(text: string, { registry }: MetricsService): Known {
    const declared = new Map(
      registry
        .getMetricsAsArray()
        .map((metric) => [metric.name, (metric as { labelNames?: string[] }).labelNames ?? []]),
    );
    const names: Known = new Map();
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
      const labels = declared.get(name) ?? [];
      if (type !== 'histogram') names.set(name, new Set(labels));
      else for (const part of ['bucket', 'sum', 'count']) names.set(`${name}_${part}`, new Set([...labels, 'le']));
    }
    return names;
  }

  it.each(expressions)('%s uses existing metrics and labels', (_where, expression) => {
    expect(faultsOf(expression, known)).toEqual([]);
  });

  it.each(expressions)('%s names possible label values only', (_where, expression) => {
    const unknown = readExpression(expression).selectors.flatMap(({ metric, matched }) =>
      [...matched]
        .filter(([label]) => !FREE.has(label))
        .flatMap(([label, values]) =>
          values
            .filter(
              (value) => !(label === 'work' ? WORK : (VALUES[`${metric} ${label}`] ?? [])).some((one) => one === value),
            )
            .map((value) => `${metric}{${label}="${value}"}`),
        ),
    );
    expect(unknown).toEqual([]);
  });

  it.each([
    ['rate(outreach_mail_total[5m])', 'there is no outreach_mail_total'],
    ['sum by (tenant) (outreach_mailboxes)', 'nothing has a label tenant'],
    ['outreach_mailboxes{color="red"}', 'outreach_mailboxes has no label color'],
    ['sum(rate(up[5m])', 'at 16: '],
  ])('reports the fault in %s', (expression, fault) => {
    expect(faultsOf(expression, known)).toContain(fault);
  });

  it('shows every metric of the platform in a panel or an alert', () => {
    const asked = new Set(
      expressions.flatMap(([, text]) => readExpression(text).selectors.map(({ metric }) => metric)),
    );
    const ours = worker
      .get(MetricsService)
      .registry.getMetricsAsArray()
      .map(({ name }) => name);
    const unseen = ours
      .filter((name) => /^(outreach_|http_)/.test(name))
      .filter((name) => ![name, `${name}_count`, `${name}_bucket`].some((one) => asked.has(one)));
    expect(unseen).toEqual([]);
  });

  it('has samples of all work of a quiet minute', () => {
    expect(scraped.api).toMatch(
      /^http_request_duration_seconds_count\{method="GET",route="\/health\/live",status="200"\} 1$/m,
    );
    expect(scraped.api).toMatch(/^outreach_health_check_up\{check="mongodb"\} 1$/m);
    expect(scraped.worker).toMatch(/^outreach_build_info\{app="worker",version="[\d.]+"\} 1$/m);
    expect(scraped.worker).toMatch(/^outreach_mailboxes\{state="connected"\} 0$/m);
    expect(scraped.worker).toMatch(/^outreach_sweep_duration_seconds_count\{sweep="mailbox-send",outcome="done"\} 1$/m);
    expect(scraped.worker).toMatch(/^outreach_ambiguous_sends 0$/m);
    expect(scraped.worker).toMatch(/^outreach_maintenance_mode 0$/m);
    expect(scraped.worker).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(scraped.worker).toMatch(/^outreach_measure_failures_total\{metric="outreach_maintenance_mode"\} 0$/m);
    expect(scraped.worker).not.toMatch(/^outreach_measure_failures_total\{.+\} [1-9]/m);
  });

  it('starts counters at 0 if an alert uses their increase: a counter that starts at 1 has none', () => {
    for (const series of [
      'dead_jobs_total{queue="periodic"}',
      'swept_jobs_total{sweep="mailbox-send"}',
      'events_relayed_total{type="webhook.disabled"}',
      'handover_duration_seconds_count{protocol="gmail",outcome="fault"}',
      'reports_total{outcome="failed"}',
      'transactions_total{outcome="unavailable"}',
      'leases_lost_total',
      'events_deferred_total',
      'redis_failures_total',
    ]) {
      expect(scraped.worker.split('\n')).toContain(`outreach_${series} 0`);
    }
  });

  it('excludes metrics of workers from the API', () => {
    expect(scraped.api).not.toMatch(/^outreach_(held|ambiguous_sends|watched_mailboxes|mailbox_read_age_seconds) /m);
  });

  it('measures each kind of due work under the name of the queue or periodic task that does it', () => {
    const kinds = [...scraped.worker.matchAll(/^outreach_due_age_seconds\{work="([\w-]+)"\} [\d.]+$/gm)].map(
      ([, work]) => work,
    );
    expect(kinds.length).toBeGreaterThan(20);
    expect(kinds.filter((kind) => !WORK.includes(kind!))).toEqual([]);
  });

  it('counts the jobs that schedules start', async () => {
    platform.clock.advance(120_000);
    await platform.tick();
    const { values } = await worker.get(MetricsService).scheduled.get();
    expect(values.map(({ labels }) => labels.schedule)).toEqual(
      expect.arrayContaining(periodicTasks.map(({ name }) => name).slice(0, 3)),
    );
  });

  it('documents every metric of the platform, with its labels and meaning', () => {
    const rows = new Set(
      [...textOf('docs/operators/monitoring.md').matchAll(/^\| `([a-z]\w*)` +\| ([^|]*?) +\| ([^|]*?) +\|$/gm)].map(
        ([, ...cells]) => cells.join(' | '),
      ),
    );
    const ours = worker
      .get(MetricsService)
      .registry.getMetricsAsArray()
      .filter(({ name }) => /^(outreach_|http_)/.test(name))
      .map((metric) => {
        const { name, help, labelNames } = metric as unknown as { name: string; help: string; labelNames: string[] };
        return `${name} | ${labelNames.join(', ')} | ${help.replace(/\.$/, '')}`;
      });
    expect([...rows].toSorted()).toEqual(ours.toSorted());
  });
});

describe('the alerts', () => {
  it('have a meaning and an action', () => {
    const silent = alerts.filter(({ annotations = {} }) =>
      ['description', 'action'].some((name) => !/\S/.test(annotations[name] ?? '')),
    );
    expect(silent.map(({ alert }) => alert)).toEqual([]);
  });

  it.each(alerts)('$alert has a severity, a one-sentence summary, and a link to its documentation', (rule) => {
    expect(rule.alert).toMatch(/^Outreach([A-Z][a-z]+)+$/);
    expect(['critical', 'warning', 'info']).toContain(rule.labels?.['severity']);
    expect(rule.for).toMatch(/^\d+[mh]$/);
    expect(rule.annotations?.['summary']).toMatch(/\S/);
    expect(rule.annotations?.['runbook']).toBe(`docs/reference/alerts.md#${rule.alert?.toLowerCase()}`);
    const [, ...labels] = (rule.annotations?.['summary'] ?? '').split('$labels.').map((text) => /^\w*/.exec(text)?.[0]);
    const { grouped, selectors } = readExpression(rule.expr);
    const kept = selectors.some(({ metric }) => /^(up|process_|outreach:due)/.test(metric))
      ? ['job', 'instance', 'work']
      : [];
    expect(labels.filter((label) => ![...grouped, ...kept].includes(label ?? ''))).toEqual([]);
  });

  it('and the recording rules have unique names of the form level:metric:operations', () => {
    const names = rules.map(({ record, alert }) => record ?? alert);
    expect(new Set(names).size).toBe(names.length);
    for (const { record } of recorded) expect(record).toMatch(/^outreach:\w+:\w+$/);
  });
});

describe('the dashboard', () => {
  const { panels } = dashboard;

  it('is valid in Grafana: unique ids, a title each, within 24 columns, without overlaps', () => {
    expect(dashboard).toMatchObject({ title: 'Outreach', uid: 'outreach', schemaVersion: 41 });
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.filter(({ title, gridPos: { x, w } }) => title === '' || x + w > 24)).toEqual([]);
    const taken = new Map<string, string>();
    for (const { title, gridPos } of panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect([title, x, y, taken.get(`${x},${y}`)]).toEqual([title, x, y, undefined]);
          taken.set(`${x},${y}`, title);
        }
      }
    }
  });

  it('uses the selected Prometheus, with a refId for each target', () => {
    expect(dashboard.templating.list).toMatchObject([{ name: 'datasource', type: 'datasource' }]);
    const drawn = panels.filter(({ type }) => type !== 'row');
    for (const { title, datasource, targets = [] } of drawn) {
      const uids = [datasource, ...targets.map((target) => target.datasource)].map((one) => one?.uid);
      expect([title, new Set(uids)]).toEqual([title, new Set(['${datasource}'])]);
      expect(targets.length).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
  });

  it.each(
    panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
    ),
  )('"$title" names lines by labels that $expr keeps', ({ expr, legendFormat }) => {
    const { grouped, selectors } = readExpression(expr);
    const kept = new Set([
      ...grouped,
      ...(askable(new Map(selectors.map(({ metric }) => [metric, new Set<string>()]))).get(
        selectors[0]?.metric ?? '',
      ) ?? []),
      'job',
      'instance',
    ]);
    const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? '');
    expect(named.filter((label) => !kept.has(label))).toEqual([]);
  });

  it('is provisioned to Grafana together with its data source', () => {
    const folders = ['datasources', 'dashboards'].map(
      (folder) => filesIn(`deploy/grafana/provisioning/${folder}`).length,
    );
    expect(folders).toEqual([1, 1]);
    expect(textOf('docker-compose.yml')).toContain('./deploy/grafana/outreach.json:/var/lib/grafana/dashboards/');
    expect(textOf('deploy/grafana/provisioning/dashboards/outreach.yaml')).toContain(
      'path: /var/lib/grafana/dashboards',
    );
  });
});
