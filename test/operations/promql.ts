import { parser } from '@prometheus-io/lezer-promql';

/** The requirements of an expression for one metric. */
interface Selector {
  readonly metric: string;
  /** Matched labels, each with the compared texts: `a|b` is two. */
  readonly matched: ReadonlyMap<string, readonly string[]>;
}

export interface Expression {
  /** Positions at which the Prometheus grammar fails. */
  readonly faults: readonly string[];
  readonly selectors: readonly Selector[];
  /** Labels by which results are grouped. */
  readonly grouped: readonly string[];
}

/** A PromQL expression, parsed with the grammar that Prometheus offers to editors. */
export function readExpression(text: string): Expression {
  const faults: string[] = [];
  const selectors: { metric: string; matched: Map<string, string[]> }[] = [];
  const grouped: string[] = [];
  parser.parse(text).iterate({
    enter: ({ name, type, from, to, node }) => {
      const words = text.slice(from, to);
      if (type.isError) faults.push(`at ${from}: ${text.slice(from, from + 20)}`);
      if (name === 'VectorSelector') selectors.push({ metric: /^[\w:]*/.exec(words)?.[0] ?? '', matched: new Map() });
      if (name === 'UnquotedLabelMatcher') {
        const [, label = '', value = ''] = /^(\w+)\s*[=!~]+\s*["'](.*)["']$/.exec(words) ?? [];
        selectors.at(-1)?.matched.set(label, value.split('|'));
      }
      if (name === 'LabelName' && node.parent?.name === 'GroupingLabels') grouped.push(words);
    },
  });
  return { faults, selectors, grouped };
}
