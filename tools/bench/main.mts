/** `npm run bench`: ratios against the bare library in one run. Subjects and reasons: docs/engineers/performance.md. */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { bulk } from './bulk.mts';
import { classification } from './classify.mts';
import { crm } from './crm.mts';
import { Fixture } from './fixture.mts';
import { imports } from './imports.mts';
import { inbox, replies } from './intake.mts';
import { mailboxes } from './mailboxes.mts';
import { pages } from './pages.mts';
import { type Goal, isMet } from './report.mts';
import { rebuild } from './rebuild.mts';
import { reports } from './reports.mts';
import { rest } from './idle.mts';
import { sending } from './sending.mts';
import { smtp } from './smtp.mts';
import { deepPage, listOfHundred, memory, oneRecord, type Stage } from './subjects.mts';
import { tracking } from './tracking.mts';
import { mailboxRuns } from './mailbox-leases.mts';
import { verification } from './verification.mts';
import { promptness, webhooks } from './webhooks.mts';

const SUBJECTS = {
  record: oneRecord,
  list: listOfHundred,
  deep: deepPage,
  memory,
  rest,
  smtp,
  mailboxes,
  sending,
  turns: mailboxRuns,
  bulk,
  pages,
  tracking,
  classify: classification,
  verification,
  rebuild,
  reports,
  inbox,
  replies,
  webhooks,
  promptness,
  import: imports,
  crm,
};

const USAGE = `usage: npm run bench -- [--rounds N] [--seconds N] [--large] [--short] [--only ${Object.keys(SUBJECTS).join('|')}]
  --rounds   how often each subject is measured (default 5)
  --seconds  how long each time (default 3)
  --large    also import a million rows
  --short    fewer messages for what reads mail: for a look, not for numbers`;

interface Wanted {
  rounds: number;
  seconds: number;
  only: string | undefined;
  large: boolean;
  short: boolean;
}

function wanted(): Wanted {
  const text = { type: 'string' } as const;
  const options = {
    rounds: text,
    seconds: text,
    only: text,
    large: { type: 'boolean' },
    short: { type: 'boolean' },
  } as const;
  const { rounds = '5', seconds = '3', only, large = false, short = false } = parseArgs({ options }).values;
  for (const given of [rounds, seconds]) {
    if (!/^[1-9]\d{0,2}$/.test(given)) throw new Error(`"${given}" is not a whole number from 1 to 999\n${USAGE}`);
  }
  if (only !== undefined && !(only in SUBJECTS)) throw new Error(`There is no "${only}" to measure\n${USAGE}`);
  return { rounds: Number(rounds), seconds: Number(seconds), only, large, short };
}

async function bench({ rounds, seconds, only, large: largeImport, short }: Wanted, fixture: Fixture): Promise<Goal[]> {
  console.log(`Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
  console.log(`medians of ${rounds} rounds of ${seconds} s each, 10 connections; CPU is that of the server process`);
  const large = await fixture.workspace('large', 10_000);
  const small = await fixture.workspace('small', 100);
  const stage: Stage = { fixture, large, small, rounds, seconds, largeImport, short };
  const goals: Goal[] = [];
  for (const [name, measure] of Object.entries(SUBJECTS)) {
    if (only === undefined || only === name) goals.push(...(await measure(stage)));
  }
  return goals;
}

async function withCleanup<T>(fixture: Fixture, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await fixture.close();
  }
}

const { MONGODB_URI, REDIS_URL } = process.env;
try {
  if (!MONGODB_URI || !REDIS_URL) throw new Error('MONGODB_URI and REDIS_URL are missing; `npm run bench` sets them');
  const options = wanted();
  const fixture = new Fixture(MONGODB_URI, REDIS_URL);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void fixture.close().finally(() => process.exit(130)));
  }
  const started = Date.now();
  const goals = await withCleanup(fixture, () => bench(options, fixture));
  const missed = goals.filter((goal) => !isMet(goal)).length;
  console.log(
    `\n${goals.length - missed} of ${goals.length} goals met, ${((Date.now() - started) / 1000).toFixed(0)} s`,
  );
  process.exitCode = missed === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
