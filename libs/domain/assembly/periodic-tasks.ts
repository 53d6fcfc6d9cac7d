import { AgentsService } from '@domain/agents';
import { CampaignsService } from '@domain/campaigns';
import { ChatCheckService } from '@domain/chat';
import { CreditsService } from '@domain/credits';
import { CrmAutomationJobService, CrmCheckService } from '@domain/crm';
import { BlacklistSchedulesService } from '@domain/deliverability';
import { EnrichmentJobEndService } from '@domain/enrichment';
import { EventRelayService } from '@domain/events';
import { LeadPauseService } from '@domain/leads';
import { MailboxDeletionService, UnreadableMessageService } from '@domain/mailboxes';
import { BounceProtectionService } from '@domain/protection';
import { ReportScheduleService } from '@domain/reports';
import { SendResolverService } from '@domain/sending';
import { HitClassificationService, TrackingHostsService } from '@domain/tracking';
import { WarmupMailWatchService, WarmupOpeningService, WarmupPlannerService } from '@domain/warmup';
import { WebhookErasureService } from '@domain/webhooks';
import { type Type } from '@nestjs/common';
import { LogService } from '@platform/observability';
import { type ScheduleRow } from '@platform/queues';

/** Work that is due by the clock, not by an event. Its next run is stored in MongoDB (`ScheduleQueue`). */
export interface PeriodicTask extends ScheduleRow {
  /** Timeout of a run in milliseconds, after which its signal aborts. */
  readonly timeoutMs: number;
  /** The service that does the work; the worker does not start without it. */
  readonly service: Type<unknown>;
  /** @param get returns a service of the worker */
  readonly run: (get: GetService, signal: AbortSignal) => Promise<unknown>;
}

export type GetService = <T>(service: Type<T>) => T;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

function task<T>(
  name: string,
  { everyMs, timeoutMs, attempts = 1 }: { everyMs: number; timeoutMs: number; attempts?: number },
  service: Type<T>,
  run: (service: T, signal: AbortSignal, get: GetService) => Promise<unknown>,
): PeriodicTask {
  return {
    name,
    interval: { everyMs },
    attempts,
    timeoutMs,
    service,
    run: (get, signal) => run(get(service), signal, get),
  };
}

const CREDIT_BATCH = 100;

async function releaseExpiredCredits(credits: CreditsService, signal: AbortSignal): Promise<void> {
  let released = CREDIT_BATCH;
  while (released === CREDIT_BATCH && !signal.aborted) released = await credits.expire(CREDIT_BATCH);
}

async function resolveSends(resolver: SendResolverService, signal: AbortSignal, get: GetService): Promise<void> {
  await resolver.resolve(signal, (error, mailId) =>
    get(LogService).error('A mail could not be resolved and is retried', error, { mailId }),
  );
}

const ERASURE = { everyMs: MINUTE_MS, timeoutMs: 10 * MINUTE_MS, attempts: 3 };

/** All of them. A task with one attempt is due again at its next run, and finds the work that a failure left. */
export const periodicTasks: readonly PeriodicTask[] = [
  // Releases credit reservations that were never settled.
  task(
    'credit-expiry',
    { everyMs: MINUTE_MS, timeoutMs: MINUTE_MS, attempts: 3 },
    CreditsService,
    releaseExpiredCredits,
  ),
  // The data of what was deleted.
  task('mailbox-erasure', ERASURE, MailboxDeletionService, (deletion, signal) => deletion.eraseDeleted(signal)),
  task('campaign-erasure', ERASURE, CampaignsService, (campaigns, signal) => campaigns.eraseDeleted(signal)),
  task('webhook-erasure', ERASURE, WebhookErasureService, (erasure, signal) => erasure.eraseDeleted(signal)),
  task('agent-erasure', ERASURE, AgentsService, (agents, signal) => agents.eraseDeleted(signal)),
  // Resolves sends with an unknown outcome.
  task('send-resolution', { everyMs: 30 * SECOND_MS, timeoutMs: 5 * MINUTE_MS }, SendResolverService, resolveSends),
  // Resumes leads whose pause has ended.
  task(
    'lead-resume',
    { everyMs: MINUTE_MS, timeoutMs: 10 * MINUTE_MS, attempts: 3 },
    LeadPauseService,
    (pauses, signal) => pauses.resumeDue(signal),
  ),
  // Classifies tracking hits as people or machines.
  task(
    'hit-classification',
    { everyMs: 5 * SECOND_MS, timeoutMs: 5 * MINUTE_MS },
    HitClassificationService,
    (hits, signal) => hits.classifyDue(signal),
  ),
  // Evaluates the bounce rates of campaigns and senders after bounces that the event relay has not handled.
  task(
    'sender-protection',
    { everyMs: 30 * SECOND_MS, timeoutMs: 5 * MINUTE_MS },
    BounceProtectionService,
    (protection, signal) => protection.checkAll(signal),
  ),
  // Relays events to their subscribers.
  task('event-relay', { everyMs: 2 * SECOND_MS, timeoutMs: 5 * MINUTE_MS }, EventRelayService, (relay, signal) =>
    relay.relay(signal),
  ),
  // Fetches messages again that a mail server failed to return.
  task(
    'unreadable-mail',
    { everyMs: 10 * MINUTE_MS, timeoutMs: 10 * MINUTE_MS },
    UnreadableMessageService,
    (unreadable, signal) => unreadable.retryDue(signal),
  ),
  // Checks whether the tracking hosts of workspaces still resolve to this installation.
  task(
    'tracking-hosts',
    { everyMs: 10 * MINUTE_MS, timeoutMs: 10 * MINUTE_MS },
    TrackingHostsService,
    (hosts, signal) => hosts.checkDue(signal),
  ),
  // Deletes enrichment jobs after seven days, and the data of deleted ones.
  task(
    'enrichment-expiry',
    { everyMs: MINUTE_MS, timeoutMs: 10 * MINUTE_MS },
    EnrichmentJobEndService,
    (jobs, signal) => jobs.removeExpired(signal),
  ),
  // Checks connections without use for a day. A failed check is due again an hour later.
  task('chat-check', { everyMs: HOUR_MS, timeoutMs: 30 * MINUTE_MS }, ChatCheckService, (checks, signal) =>
    checks.checkIdle(signal),
  ),
  task('crm-check', { everyMs: HOUR_MS, timeoutMs: 30 * MINUTE_MS }, CrmCheckService, (checks, signal) =>
    checks.checkIdle(signal),
  ),
  // Starts the blacklist tests whose schedule is due.
  task(
    'blacklist-schedule',
    { everyMs: MINUTE_MS, timeoutMs: 5 * MINUTE_MS },
    BlacklistSchedulesService,
    (schedules, signal) => schedules.runDue(signal),
  ),
  // Opens received warmup mail that is due.
  task('warmup-opening', { everyMs: MINUTE_MS, timeoutMs: 10 * MINUTE_MS }, WarmupOpeningService, (openings, signal) =>
    openings.openDue(signal),
  ),
  // Detects warmup mail that never arrived, and measures all warmups.
  task(
    'warmup-watch',
    { everyMs: 30 * MINUTE_MS, timeoutMs: 30 * MINUTE_MS },
    WarmupMailWatchService,
    (watch, signal) => watch.run(signal),
  ),
  // Ends and plans the days of warmups.
  task('warmup-plan', { everyMs: 2 * MINUTE_MS, timeoutMs: 30 * MINUTE_MS }, WarmupPlannerService, (planner, signal) =>
    planner.run(signal),
  ),
  // Starts the reports of recipients that are due.
  task(
    'report-schedule',
    { everyMs: 30 * SECOND_MS, timeoutMs: 5 * MINUTE_MS },
    ReportScheduleService,
    (planner, signal) => planner.run(signal),
  ),
  // Starts CRM syncs that are due by schedule or after an event.
  task(
    'crm-automation',
    { everyMs: 15 * SECOND_MS, timeoutMs: 10 * MINUTE_MS },
    CrmAutomationJobService,
    (automations, signal) => automations.run(signal),
  ),
];
