/**
 * The engine as the worker has it, without queues: GET /turn?mailbox=ID is one turn of a mailbox, and says how long its plans
 * and claims took, how many commands the database was given for them, and how long those took that look for leads.
 */
import 'reflect-metadata';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import type mongoose from 'mongoose';

type Method = (...args: unknown[]) => unknown;

interface Built {
  WorkerModule: Type;
  EngineWorlds: Type<{ open: Method }>;
  Handovers: Type<{ give: Method }>;
  MailboxTurns: Type<{ run(of: { workspaceId: string; mailboxId: string }, signal: AbortSignal): Promise<void> }>;
  Turns: Type<{ wake(workspaceId: string, mailboxIds: string[]): Promise<void> }>;
}

export interface TurnSample {
  emails: number;
  /** The whole turn. */
  ms: number;
  /** Plans and claims together. */
  planMs: number;
  /** Commands of plans and claims, those that begin and end transactions included. */
  commands: number;
  /** Each query for due follow-ups, until its answer was read. */
  followUpsMs: number[];
  /** Each query for due leads without a sender; the engine reads 200 at once. */
  newLeadsMs: number[];
}

const { API_PORT = '0', WORKSPACE = '' } = process.env;
const built = createRequire(new URL('../../dist/libs/domain/sending/index.js', import.meta.url));
const { WorkerModule, EngineWorlds, Handovers, MailboxTurns, Turns } = {
  ...(built('../../../apps/worker/src/worker.module.js') as object),
  ...(built('./turn/engine.worlds.service.js') as object),
  ...(built('./turn/handover.service.js') as object),
  ...(built('./turn/turn.service.js') as object),
  ...(built('../sends/index.js') as object),
} as Built;

const app = await NestFactory.createApplicationContext(WorkerModule, { logger: false });
const turns = app.get(Turns, { strict: false });
const engine = app.get(MailboxTurns, { strict: false });

/** Of the turn that runs; one runs at a time. */
let sample = nothing();
let plannedSince: number | null = null;
watchPlans(app);
watchCommands(app);

/** A plan begins when the engine looks at the mailbox's world, and its claim is over when the email is handed on. */
function watchPlans(context: INestApplicationContext): void {
  const worlds = context.get(EngineWorlds, { strict: false });
  const handovers = context.get(Handovers, { strict: false });
  const [open, give] = [worlds.open.bind(worlds), handovers.give.bind(handovers)];
  worlds.open = (...args) => {
    plannedSince = performance.now();
    return open(...args);
  };
  handovers.give = (...args) => {
    if (plannedSince !== null) sample.planMs += performance.now() - plannedSince;
    plannedSince = null;
    sample.emails += 1;
    return give(...args);
  };
}

function watchCommands(context: INestApplicationContext): void {
  const client = context.get<mongoose.Connection>(getConnectionToken(), { strict: false }).getClient();
  const looking = new Map<number, { into: number[]; since: number }>();
  client.on('commandStarted', ({ requestId, commandName, command }) => {
    if (plannedSince === null) return;
    sample.commands += 1;
    if (commandName !== 'find' || command['find'] !== 'campaign_leads') return;
    const { mailboxId } = command['filter'] as { mailboxId?: unknown };
    const into = mailboxId === null ? sample.newLeadsMs : sample.followUpsMs;
    looking.set(requestId, { into, since: performance.now() });
  });
  client.on('commandSucceeded', ({ requestId }) => {
    const query = looking.get(requestId);
    if (query) query.into.push(performance.now() - query.since);
    looking.delete(requestId);
  });
}

function nothing(): TurnSample {
  return { emails: 0, ms: 0, planMs: 0, commands: 0, followUpsMs: [], newLeadsMs: [] };
}

async function turnOf(mailboxId: string): Promise<TurnSample> {
  await turns.wake(WORKSPACE, [mailboxId]);
  sample = nothing();
  const started = performance.now();
  await engine.run({ workspaceId: WORKSPACE, mailboxId }, new AbortController().signal);
  plannedSince = null;
  return { ...sample, ms: performance.now() - started };
}

createServer((request, response) => {
  const mailbox = new URL(request.url ?? '/', 'http://localhost').searchParams.get('mailbox');
  (mailbox === null ? Promise.resolve('ready') : turnOf(mailbox)).then(
    (answer) => response.end(JSON.stringify(answer)),
    (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
  );
}).listen(Number(API_PORT), '127.0.0.1');
process.once('SIGTERM', () => void app.close().finally(() => process.exit(0)));
