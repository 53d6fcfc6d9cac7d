import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { LazyGauges, getGaugeName, type Sample } from './lazy-gauges';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LONG_SECONDS = [...SECONDS, 120, 600];

/**
 * Prometheus metrics of this process. Labels come from fixed sets (routes, queues, outcomes), never from user input or
 * workspaces. A counter with an alert starts at 0 for each label, because a series that starts at 1 has no increase.
 * docs/operators/monitoring.md explains each metric; a test compares it with this list.
 */
@Injectable()
export class MetricsService {
  readonly registry = new Registry();

  readonly build = this.#gauge('outreach_build_info', 'Always 1; the labels name the process and its version.', [
    'app',
    'version',
  ]);

  readonly httpRequests = this.#histogram(
    'http_request_duration_seconds',
    'Time from the arrival of a request to the end of its response.',
    ['method', 'route', 'status'],
  );

  readonly healthChecks = this.#gauge(
    'outreach_health_check_up',
    'Whether a dependency of this process is up (1) or down (0), as in /health/ready.',
    ['check'],
  );

  readonly transactions = this.#counter(
    'outreach_transactions_total',
    'Transactions by outcome: committed, failed (their work), unavailable (the database).',
    ['outcome'],
  );

  readonly transactionReruns = this.#counter(
    'outreach_transaction_reruns_total',
    'Reruns of transactions after a conflict with concurrent changes.',
  );

  readonly redisFailures = this.#counter(
    'outreach_redis_failures_total',
    'Redis commands of requests and jobs without an answer.',
  );

  readonly leaseExpiries = this.#counter('outreach_leases_lost_total', 'Leases that expired before their renewal.');

  readonly outboundRequests = this.#histogram(
    'outreach_outbound_request_duration_seconds',
    'HTTP requests to addresses that users enter, by outcome: answered, or the reason of the failure.',
    ['outcome'],
  );

  readonly modelQuestions = this.#histogram(
    'outreach_model_question_duration_seconds',
    'Requests to the language model, by outcome: answered, or the reason of the failure.',
    ['outcome'],
    LONG_SECONDS,
  );

  readonly modelTokens = this.#counter('outreach_model_tokens_total', 'Tokens as counted by the language model.', [
    'direction',
  ]);

  readonly modelCost = this.#counter(
    'outreach_model_cost_total',
    'Cost of these tokens, by LLM_INPUT_PRICE and LLM_OUTPUT_PRICE and in their currency.',
  );

  readonly jobs = this.#histogram(
    'outreach_job_duration_seconds',
    'Duration of an attempt of a job, by outcome: done, or the kind of failure. The name is that of the queue, or of the periodic task.',
    ['queue', 'job_name', 'outcome'],
    LONG_SECONDS,
  );

  readonly deadJobs = this.#counter('outreach_dead_jobs_total', 'Jobs that failed for good and were recorded.', [
    'queue',
  ]);

  readonly queueDepth = this.#gauge('outreach_queue_jobs', 'Jobs of a queue by state.', ['queue', 'state']);

  readonly runsAllowed = this.#gauge(
    'outreach_runs_allowed',
    'Runs of a queue that this process may do at a time: fewer while the database is slow.',
    ['queue'],
  );

  readonly queueLag = this.#gauge('outreach_queue_lag_seconds', 'Age of the oldest waiting job of a queue.', ['queue']);

  readonly sweeps = this.#histogram(
    'outreach_sweep_duration_seconds',
    'Duration of a sweep for missing jobs, by outcome: done or failed. One worker at a time sweeps.',
    ['sweep', 'outcome'],
  );

  readonly swept = this.#counter('outreach_swept_jobs_total', 'Missing jobs that a sweep created again.', ['sweep']);

  readonly scheduled = this.#counter('outreach_schedule_runs_total', 'Jobs that a schedule enqueued.', ['schedule']);

  readonly maintenanceMode = this.#gauge(
    'outreach_maintenance_mode',
    'Whether a restored installation is in maintenance mode (1), until the operator ends it.',
  );

  readonly dueAge = this.#gauge(
    'outreach_due_age_seconds',
    'Age of the oldest due item of a kind of work in the database; 0 without due items.',
    ['work'],
  );

  readonly events = this.#counter('outreach_events_relayed_total', 'Events that were relayed to their subscribers.', [
    'type',
  ]);

  readonly eventsPutOff = this.#counter(
    'outreach_events_deferred_total',
    'Events that a subscriber could not handle; each is retried after 1, 2, 5, 15, then 60 minutes.',
  );

  readonly eventBatches = this.#counter(
    'outreach_event_batches_total',
    'Transactions that relay events of a workspace, by outcome: relayed, conflict (after three reruns), error.',
    ['outcome'],
  );

  readonly eventBatchReruns = this.#counter(
    'outreach_event_batch_reruns_total',
    'Reruns of these transactions after a conflict with concurrent changes.',
  );

  readonly sends = this.#counter('outreach_sends_total', 'Emails of campaigns by the state after an attempt.', [
    'state',
  ]);

  readonly ambiguousSends = this.#gauge(
    'outreach_ambiguous_sends',
    'Emails of campaigns with an unknown outcome, up to 10 000.',
  );

  readonly handovers = this.#histogram(
    'outreach_handover_duration_seconds',
    'Handovers of mail of every kind to the server of a mailbox, by protocol and outcome.',
    ['protocol', 'outcome'],
    LONG_SECONDS,
  );

  readonly mailboxes = this.#gauge('outreach_mailboxes', 'Mailboxes by the state of their connection.', ['state']);

  readonly watchedMailboxes = this.#gauge(
    'outreach_watched_mailboxes',
    'Mailboxes that this worker watches for new mail.',
  );

  readonly mailboxReads = this.#counter(
    'outreach_mailbox_reads_total',
    'Reads of watched mailboxes, by outcome: done, or lost (the connection).',
    ['outcome'],
  );

  readonly mailboxReadAge = this.#gauge(
    'outreach_mailbox_read_age_seconds',
    'Time since the least recently read mailbox of this worker was read.',
  );

  readonly webhookAttempts = this.#histogram(
    'outreach_webhook_attempt_duration_seconds',
    'Duration of a request to the receiver of a webhook, by outcome: accepted, refused (another status), or unanswered.',
    ['outcome'],
  );

  readonly credits = this.#counter(
    'outreach_credits_total',
    'Credits of ledger entries, by kind: grant, charge, reserve, settle, release.',
    ['kind'],
  );

  readonly creditRefusals = this.#counter(
    'outreach_credit_refusals_total',
    'Requests that were refused because a workspace has too few credits.',
  );

  readonly crmSyncs = this.#counter('outreach_crm_syncs_total', 'Finished syncs with CRMs, by CRM and outcome.', [
    'crm',
    'outcome',
  ]);

  readonly reports = this.#counter('outreach_reports_total', 'Attempts to send a report, by outcome.', ['outcome']);

  readonly measureFailures = this.#counter(
    'outreach_measure_failures_total',
    'Failed measurements of gauges during a scrape, which omits them.',
    ['metric'],
  );

  readonly #measured = new LazyGauges((metric) => this.measureFailures.inc({ metric }));

  /**
   * Adds the metrics of Node itself. Their collection cannot be stopped, so a process starts it together with the server of its
   * metrics.
   */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Makes each scrape measure the gauge by `find`. */
  measureLazily<L extends string>(gauge: Gauge<L>, find: () => Promise<readonly Sample<L>[]>): void {
    this.#measured.add(gauge, find);
    this.measureFailures.inc({ metric: getGaugeName(gauge) }, 0);
  }

  /** All metrics in the text format of Prometheus; never rejects for a gauge that could not be measured. */
  async text(): Promise<string> {
    await this.#measured.refresh();
    return this.registry.metrics();
  }

  #counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> {
    const gauge = new Gauge({ name, help, labelNames, registers: [this.registry] });
    // Without labels it would be 0 in a process that does not measure it.
    if (labelNames.length === 0) gauge.remove({} as never);
    return gauge;
  }

  #histogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    buckets: readonly number[] = SECONDS,
  ): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [this.registry] });
  }
}
