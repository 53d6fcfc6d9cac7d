/** `npm run bench`: ratios against the bare library in one run. Subjects and reasons: docs/engineers/performance.md. */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { bulk } from './bulk.mts';
import { crm } from './crm.mts';
import { Fixture } from './harness.mts';
import { imports } from './imports.mts';
import { inbox, mailboxes, replies } from './intake.mts';
import { type Goal, isMet, type Options } from './measure.mts';
import { pages } from './pages.mts';
import { list } from './reads.mts';
import { rebuild } from './rebuild.mts';
import { reports } from './reports.mts';
import { rest } from './rest.mts';
import { sending } from './sending.mts';
import { tracking } from './tracking.mts';
import { verification } from './verification.mts';
import { webhooks } from './webhooks.mts';

const SCENARIOS = {
  list,
  rest,
  mailboxes,
  sending,
  bulk,
  pages,
  tracking,
  verification,
  rebuild,
  reports,
  inbox,
  replies,
  webhooks,
  import: imports,
  crm,
};

const USAGE = `usage: npm run bench -- [--rounds N] [--seconds N] [--short] [--only ${Object.keys(SCENARIOS).join('|')}]
  --rounds   how often each subject is measured (default 5)
  --seconds  how long each time (default 3)
  --short    small numbers: whether a scenario works, not what it measures`;

function parseOptions(): Options & { only: string | undefined } {
  const text = { type: 'string' } as const;
  const options = { rounds: text, seconds: text, only: text, short: { type: 'boolean' } } as const;
  const { rounds, seconds, only, short = false } = parseArgs({ options }).values;
  for (const value of [rounds, seconds]) {
    if (value !== undefined && !/^[1-9]\d{0,2}$/.test(value)) {
      throw new Error(`"${value}" is not a whole number from 1 to 999\n${USAGE}`);
    }
  }
  if (only !== undefined && !(only in SCENARIOS)) throw new Error(`There is no "${only}" to measure\n${USAGE}`);
  return { rounds: Number(rounds ?? (short ? 1 : 5)), seconds: Number(seconds ?? (short ? 1 : 3)), only, short };
}

const { MONGODB_URI, REDIS_URL } = process.env;
try {
  if (!MONGODB_URI || !REDIS_URL) throw new Error('MONGODB_URI and REDIS_URL are missing; `npm run bench` sets them');
  const { only, ...options } = parseOptions();
  const fixture = new Fixture(MONGODB_URI, REDIS_URL);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void fixture.close().finally(() => process.exit(130)));
  }
  console.log(`Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
  console.log(`medians of ${options.rounds} rounds of ${options.seconds} s each; CPU is that of the server process`);
  const goals: Goal[] = [];
  try {
    for (const [name, measure] of Object.entries(SCENARIOS)) {
      if (only === undefined || only === name) goals.push(...(await measure({ fixture, ...options })));
    }
  } finally {
    await fixture.close();
  }
  const missed = goals.filter((goal) => !isMet(goal)).length;
  console.log(`\n${goals.length - missed} of ${goals.length} goals met`);
  process.exitCode = missed === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
