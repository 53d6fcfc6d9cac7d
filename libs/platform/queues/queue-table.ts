/** All settings of a queue, so that none relies on an implicit default. */
export interface QueueRow {
  /** Jobs that one worker process runs at the same time. */
  concurrency: number;
  /** Number of attempts, the first one included; only temporary failures are retried. */
  attempts: number;
  /** Wait before the second attempt in milliseconds; doubled for each further one, with up to half of it as jitter. */
  backoffMs: number;
  /** Timeout of an attempt in milliseconds, after which its signal aborts. */
  timeoutMs: number;
  /** Number of finished jobs that stay in Redis for inspection. */
  keepCompleted: number;
}

/** All queues. A queue carries one kind of job and has exactly one processor. */
export const queueTable = {
  // Erases the data of deleted workspaces after the time in which they can be restored.
  'workspace-purge': { concurrency: 1, attempts: 10, backoffMs: 5_000, timeoutMs: 600_000, keepCompleted: 100 },
  // Checks whether unreachable mailboxes can be reached again.
  'mailbox-check': { concurrency: 10, attempts: 3, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 100 },
  // Checks the DNS records of a sending domain. One attempt: failed work stays due, and the sweep finds it. No finished job is
  // kept, because it would block a new job with the same id.
  'mailbox-health': { concurrency: 10, attempts: 1, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 0 },
  // Sends the due emails of a mailbox. One attempt: a second one would only meet the lease of the first, and the sweep repeats
  // it after the lease. No finished job is kept, because it would block a new job with the same id.
  'mailbox-send': { concurrency: 50, attempts: 1, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 0 },
  // Imports uploaded CSV files: a million rows take minutes. One attempt: an interrupted import stays due, and continues.
  'lead-import': { concurrency: 2, attempts: 1, backoffMs: 1_000, timeoutMs: 3_600_000, keepCompleted: 0 },
  // Reads and classifies the new mail of a mailbox. Failures are stored with the message, and the sweep finds them. No finished
  // job is kept, because it would block a new job with the same id.
  'mail-intake': { concurrency: 20, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 0 },
  // Labels replies by the language model where the rules are not certain. The sweep repeats failures. No finished job is kept,
  // because it would block a new job with the same id.
  'reply-label': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 330_000, keepCompleted: 0 },
  // Writes, sends or resolves the automatic replies of agents. One attempt: failed work stays due, and the sweep finds it. No
  // finished job is kept, because it would block a new job with the same id.
  'agent-reply': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 0 },
  // Delivers events to a webhook. One attempt, as for `mailbox-send`. High concurrency: most jobs wait for a receiver, and those
  // that hang must not block the others.
  'webhook-work': { concurrency: 200, attempts: 1, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 0 },
  // Replays a period to a webhook, possibly hundreds of thousands of events. An interrupted replay continues by the sweep.
  'webhook-replay': { concurrency: 2, attempts: 1, backoffMs: 1_000, timeoutMs: 3_600_000, keepCompleted: 10 },
  // Tests mailboxes against blacklists: minutes for hundreds of them, because lists are queried slowly. An interrupted test
  // continues by the sweep.
  'blacklist-test': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 3_600_000, keepCompleted: 0 },
  // Runs enrichment jobs of a workspace. One attempt, as for `mailbox-send`. No finished job is kept, because it would block a
  // new job with the same id.
  'enrichment-work': { concurrency: 8, attempts: 1, backoffMs: 1_000, timeoutMs: 180_000, keepCompleted: 0 },
  // Verifies the addresses of unverified leads of a campaign. One attempt: the sweep finds due work. No finished job is kept,
  // because it would block a new job with the same id.
  'lead-verification': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 180_000, keepCompleted: 0 },
  // Posts messages to the chat of a workspace. One attempt, as for `mailbox-send`. No finished job is kept, because it would
  // block a new job with the same id.
  'chat-work': { concurrency: 20, attempts: 1, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 0 },
  // Sends the warmup mail of a mailbox. One attempt: the sweep finds due work. No finished job is kept, because it would block a
  // new job with the same id.
  'warmup-send': { concurrency: 10, attempts: 1, backoffMs: 1_000, timeoutMs: 180_000, keepCompleted: 0 },
  // Reads the websites that agents are trained on: minutes for each, because sites are read slowly. An interrupted training
  // continues by the sweep. No finished job is kept, because it would block a new job with the same id.
  'agent-training': { concurrency: 6, attempts: 1, backoffMs: 1_000, timeoutMs: 3_600_000, keepCompleted: 0 },
  // Does the due work with the CRM of a workspace. One attempt, as for `mailbox-send`. Most of the time is spent waiting for the
  // CRM. No finished job is kept, because it would block a new job with the same id.
  'crm-work': { concurrency: 20, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 0 },
  // Sends or resolves a report. One attempt: failed work stays due, and the sweep finds it. Low concurrency, because rendering
  // uses the CPU. No finished job is kept, because it would block a new job with the same id.
  'report-delivery': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 0 },
  // Runs the tasks that are due by the clock, each with a timeout of its own. Concurrency: one that takes long holds up no other.
  periodic: { concurrency: 25, attempts: 1, backoffMs: 1_000, timeoutMs: 1_800_000, keepCompleted: 100 },
} as const satisfies Record<string, QueueRow>;

export type QueueName = keyof typeof queueTable;

export const QUEUE_NAMES = Object.keys(queueTable) as QueueName[];

/** Name of the class that processes the jobs of a queue: `mail-intake` → `MailIntakeProcessor`. */
export function getProcessorName(queue: QueueName): string {
  const parts = queue.split('-').map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return `${parts.join('')}Processor`;
}
