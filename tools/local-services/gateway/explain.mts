import type { Document } from 'bson';
import { encode } from './call.mts';
import type { Context, Reply } from './handler.mts';
import { CommandError } from './errors.mts';

const FUNCTIONS: Record<string, string> = {
  find: 'bson_aggregation_find',
  aggregate: 'bson_aggregation_pipeline',
  count: 'bson_aggregation_count',
  distinct: 'bson_aggregation_distinct',
};

export interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Scan Direction'?: string;
  'Sort Key'?: string[];
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Filter?: string;
  Plans?: PlanNode[];
}

/** The part of MongoDB's answer that people and tests use; `pg` is PostgreSQL's own plan. */
export async function explain(command: Document, db: string, context: Context): Promise<Reply> {
  const inner = asRead(command['explain'] as Document);
  const kind = Object.keys(inner)[0] ?? '';
  const fn = FUNCTIONS[kind];
  if (!fn) throw new CommandError(115, 'CommandNotSupported', `explain ${kind} is not supported`);
  const analyze = command['verbosity'] !== 'queryPlanner';
  const literal = `'${db.replaceAll("'", "''")}', 'BSONHEX${encode(inner).toString('hex')}'`;
  const from = `SELECT document FROM documentdb_api_catalog.${fn}(${literal})`;
  const rows = await context.query(`EXPLAIN (${analyze ? 'ANALYZE, ' : ''}FORMAT JSON) ${from}`);
  const [plan] = (rows as [[[{ Plan: PlanNode; 'Execution Time'?: number }]]])[0][0];
  return {
    explainVersion: '1',
    queryPlanner: {
      namespace: `${db}.${String(inner[kind])}`,
      winningPlan: toStage(plan.Plan),
      rejectedPlans: [],
    },
    ...(analyze && {
      executionStats: { ...statistics(plan.Plan), executionTimeMillis: Math.round(plan['Execution Time'] ?? 0) },
    }),
    pg: [plan],
    ok: 1,
  };
}

/** A write is explained by the search for the documents that it changes. */
function asRead(command: Document): Document {
  const [kind = '', collection] = Object.entries(command)[0] ?? [];
  const first = ((command['updates'] ?? command['deletes']) as Document[] | undefined)?.[0];
  if (kind === 'update' || kind === 'delete') return { find: collection, filter: first?.['q'] ?? {} };
  if (kind === 'findAndModify')
    return { find: collection, filter: command['query'] ?? {}, sort: command['sort'], limit: 1 };
  const { $db: _db, lsid: _lsid, ...rest } = command;
  return rest;
}

/** Every collection is one shard of a table: a condition on the shard alone reads the whole collection. */
const isWholeCollection = (condition: string | undefined): boolean =>
  condition === undefined || /^\(shard_key_value = '\d+'::bigint\)$/.test(condition);

export function toStage(node: PlanNode): Document {
  const children = (node.Plans ?? []).map(toStage);
  const input = children.length > 1 ? { inputStages: children } : children[0] ? { inputStage: children[0] } : {};
  switch (node['Node Type']) {
    case 'Index Scan':
    case 'Index Only Scan':
    case 'Bitmap Index Scan':
      return indexStage(node);
    case 'Seq Scan':
      return { stage: 'COLLSCAN' };
    case 'Bitmap Heap Scan':
    case 'Custom Scan':
      // These nodes return the rows of their child; a filter of a heap scan is part of the fetch.
      return children.length === 1 ? (children[0] as Document) : { stage: node['Node Type'], ...input };
    case 'Sort':
    case 'Incremental Sort':
      return { stage: 'SORT', ...input };
    case 'Limit':
      return { stage: 'LIMIT', ...input };
    case 'Aggregate':
      return { stage: 'GROUP', ...input };
    case 'Function Scan':
    case 'Result':
      return children.length > 0 ? { stage: 'SUBPLAN', ...input } : { stage: 'EOF' };
    default:
      return { stage: node['Node Type'].toUpperCase().replaceAll(' ', '_'), ...input };
  }
}

function indexStage(node: PlanNode): Document {
  const ordered = node['Node Type'] !== 'Bitmap Index Scan';
  if (node['Index Name'] === '_id_' && isWholeCollection(node['Index Cond'])) return { stage: 'COLLSCAN' };
  const scan = {
    stage: 'IXSCAN',
    indexName: node['Index Name'],
    direction: node['Scan Direction'] ?? 'Forward',
    ordered,
  };
  return node['Node Type'] === 'Index Only Scan' ? scan : { stage: 'FETCH', inputStage: scan };
}

function statistics(root: PlanNode): Document {
  let keys = 0;
  let documents = 0;
  const visit = (node: PlanNode): void => {
    const loops = node['Actual Loops'] ?? 1;
    const read =
      ((node['Actual Rows'] ?? 0) +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)) *
      loops;
    const type = node['Node Type'];
    if (/^(Index|Bitmap Index)/.test(type) && !isWholeCollection(node['Index Cond'])) keys += read;
    if (/^(Index Scan|Seq Scan|Bitmap Heap Scan)$/.test(type)) documents += read;
    for (const child of node.Plans ?? []) visit(child);
  };
  visit(root);
  return {
    executionSuccess: true,
    nReturned: root['Actual Rows'] ?? 0,
    totalKeysExamined: keys,
    totalDocsExamined: documents,
  };
}
