/**
 * The mailbox sender of the worker without queues: GET /run?mailbox=ID runs it once for a mailbox and returns the time of
 * its plans and claims, the number of their database commands, and the time of their queries for leads.
 */
import 'reflect-metadata';
import { createServer } from 'node:http';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import type mongoose from 'mongoose';
import { loadBuilt } from './built.mts';

type Method = (...args: unknown[]) => unknown;

interface Built {
  WorkerModule: Type;
  PlannerDataSourceService: Type<{ open: Method }>;
  MessageHandoverService: Type<{ handOver: Method }>;
  MailboxSenderService: Type<{
    run(of: { workspaceId: string; mailboxId: string }, signal: AbortSignal): Promise<void>;
  }>;
  MailboxLeaseService: Type<{ scheduleNow(workspaceId: string, mailboxIds: string[]): Promise<void> }>;
}

export interface RunSample {
  emails: number;
  /** The whole run. */
  ms: number;
  /** Plans and claims together. */
  planMs: number;
  /** Commands of plans and claims, including those that begin and end transactions. */
  commands: number;
  /** Each query for due follow-ups, until its result was read. */
  followUpsMs: number[];
  /** Each query for due leads without a sender; the planner reads 200 at once. */
  newLeadsMs: number[];
}

const { API_PORT = '0', WORKSPACE = '' } = process.env;
const { WorkerModule, PlannerDataSourceService, MessageHandoverService, MailboxSenderService, MailboxLeaseService } =
  loadBuilt<Built>(
    'WorkerModule',
    'PlannerDataSourceService',
    'MessageHandoverService',
    'MailboxSenderService',
    'MailboxLeaseService',
  );

const app = await NestFactory.createApplicationContext(WorkerModule, { logger: false });
const leases = app.get(MailboxLeaseService, { strict: false });
const sender = app.get(MailboxSenderService, { strict: false });

/** The sample of the current run; there is one at a time. */
let sample = createSample();
let plannedSince: number | null = null;
watchPlans(app);
watchCommands(app);

/** A plan begins when the sender opens its planner data source; its claim is over when the handover begins. */
function watchPlans(context: INestApplicationContext): void {
  const dataSources = context.get(PlannerDataSourceService, { strict: false });
  const handovers = context.get(MessageHandoverService, { strict: false });
  const [open, give] = [dataSources.open.bind(dataSources), handovers.handOver.bind(handovers)];
  dataSources.open = (...args) => {
    plannedSince = performance.now();
    return open(...args);
  };
  handovers.handOver = (...args) => {
    if (plannedSince !== null) sample.planMs += performance.now() - plannedSince;
    plannedSince = null;
    sample.emails += 1;
    return give(...args);
  };
}

function watchCommands(context: INestApplicationContext): void {
  const client = context.get<mongoose.Connection>(getConnectionToken(), { strict: false }).getClient();
  const running = new Map<number, { into: number[]; since: number }>();
  client.on('commandStarted', ({ requestId, commandName, command }) => {
    if (plannedSince === null) return;
    sample.commands += 1;
    if (commandName !== 'find' || command['find'] !== 'campaign_leads') return;
    const { mailboxId } = command['filter'] as { mailboxId?: unknown };
    const into = mailboxId === null ? sample.newLeadsMs : sample.followUpsMs;
    running.set(requestId, { into, since: performance.now() });
  });
  client.on('commandSucceeded', ({ requestId }) => {
    const query = running.get(requestId);
    if (query) query.into.push(performance.now() - query.since);
    running.delete(requestId);
  });
}

function createSample(): RunSample {
  return { emails: 0, ms: 0, planMs: 0, commands: 0, followUpsMs: [], newLeadsMs: [] };
}

async function runSender(mailboxId: string): Promise<RunSample> {
  await leases.scheduleNow(WORKSPACE, [mailboxId]);
  sample = createSample();
  const started = performance.now();
  await sender.run({ workspaceId: WORKSPACE, mailboxId }, new AbortController().signal);
  plannedSince = null;
  return { ...sample, ms: performance.now() - started };
}

createServer((request, response) => {
  const mailbox = new URL(request.url ?? '/', 'http://localhost').searchParams.get('mailbox');
  (mailbox === null ? Promise.resolve('ready') : runSender(mailbox)).then(
    (answer) => response.end(JSON.stringify(answer)),
    (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
  );
}).listen(Number(API_PORT), '127.0.0.1');
process.once('SIGTERM', () => void app.close().finally(() => process.exit(0)));
