/** `npm run bench`: ratios against the bare library in one run. What is measured and why: docs/benchmarks.md. */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { Fixture } from './fixture.mts';
import { mailboxes } from './mailboxes.mts';
import { type Goal, isMet } from './report.mts';
import { smtp } from './smtp.mts';
import { deepPage, listOfHundred, memory, oneRecord, type Stage } from './subjects.mts';

const SUBJECTS = { record: oneRecord, list: listOfHundred, deep: deepPage, memory, smtp, mailboxes };

const USAGE = `usage: npm run bench -- [--rounds N] [--seconds N] [--only ${Object.keys(SUBJECTS).join('|')}]
  --rounds   how often each subject is measured (default 5)
  --seconds  how long each time (default 3)`;

interface Wanted {
  rounds: number;
  seconds: number;
  only: string | undefined;
}

function wanted(): Wanted {
  const options = { rounds: { type: 'string' }, seconds: { type: 'string' }, only: { type: 'string' } } as const;
  const { rounds = '5', seconds = '3', only } = parseArgs({ options }).values;
  for (const text of [rounds, seconds]) {
    if (!/^[1-9]\d{0,2}$/.test(text)) throw new Error(`"${text}" is not a whole number from 1 to 999\n${USAGE}`);
  }
  if (only !== undefined && !(only in SUBJECTS)) throw new Error(`There is no "${only}" to measure\n${USAGE}`);
  return { rounds: Number(rounds), seconds: Number(seconds), only };
}

async function bench({ rounds, seconds, only }: Wanted, fixture: Fixture): Promise<Goal[]> {
  console.log(`Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
  console.log(`medians of ${rounds} rounds of ${seconds} s each, 10 connections; CPU is that of the server process`);
  const large = await fixture.workspace('large', 10_000);
  const small = await fixture.workspace('small', 100);
  const stage: Stage = { fixture, large, small, rounds, seconds };
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
