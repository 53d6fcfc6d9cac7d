import { textOf, yamlOf } from './files';
import { readExpression } from './promql';

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  readonly datasource: { uid: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { x: number; y: number; w: number; h: number };
  readonly datasource?: { uid: string };
  readonly targets?: readonly Target[];
}

interface Dashboard {
  readonly title: string;
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { list: readonly { name: string; type: string }[] };
  readonly annotations: { list: readonly { expr?: string }[] };
}

const { groups } = yamlOf<{ groups: { name: string; rules: Rule[] }[] }>('deploy/prometheus/outreach.rules.yaml');
export const rules = groups.flatMap((group) => group.rules);
export const alerts = rules.filter(({ alert }) => alert !== undefined);
export const recorded = rules.filter(({ record }) => record !== undefined);
export const dashboard = JSON.parse(textOf('deploy/grafana/outreach.json')) as Dashboard;

/** Every shipped expression, by its place. */
export const expressions: [where: string, expression: string][] = [
  ...rules.map(({ alert, record, expr }): [string, string] => [alert ?? record ?? '', expr]),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ refId, expr }): [string, string] => [`panel "${title}", ${refId}`, expr]),
  ),
  ...dashboard.annotations.list.flatMap(({ expr }): [string, string][] => (expr ? [['annotations', expr]] : [])),
];

/** Metrics by the names in queries, with their labels. */
export type Known = Map<string, ReadonlySet<string>>;

/** Metrics and labels that Prometheus itself adds. */
const SCRAPED = ['job', 'instance'];
const OWN = new Map([
  ['up', []],
  ['ALERTS', ['alertname', 'alertstate', 'severity']],
]);

/** Adds the metrics of Prometheus itself, and the recorded series, to the scraped metrics. */
export function askable(scraped: Known): Known {
  const known: Known = new Map(scraped);
  for (const [name, labels] of OWN) known.set(name, new Set(labels));
  for (const { record = '', expr } of recorded) known.set(record, new Set(readExpression(expr).grouped));
  return known;
}

/** Missing metrics and labels of an expression, or the fault if it is not PromQL. */
export function faultsOf(expression: string, known: Known): string[] {
  const { faults, selectors, grouped } = readExpression(expression);
  const there = new Set(SCRAPED);
  for (const { metric } of selectors) for (const label of known.get(metric) ?? []) there.add(label);
  return [
    ...faults,
    ...selectors.filter(({ metric }) => !known.has(metric)).map(({ metric }) => `there is no ${metric}`),
    ...selectors.flatMap(({ metric, matched }) =>
      [...matched.keys()]
        .filter((label) => !known.get(metric)?.has(label) && !SCRAPED.includes(label))
        .map((label) => `${metric} has no label ${label}`),
    ),
    ...grouped.filter((label) => !there.has(label)).map((label) => `nothing has a label ${label}`),
  ];
}
