import { QUEUE_NAMES, type QueueName } from './queue-table';

/** Names of queues up to 0.2.0. `WORKER_QUEUES` accepts them for one release; their jobs in Redis are deleted at worker start. */
export const RENAMED_QUEUES: Readonly<Record<string, string>> = {
  'mailbox-turn': 'mailbox-send',
  'warmup-turn': 'warmup-send',
  'webhook-lane': 'webhook-work',
  'chat-lane': 'chat-work',
  'crm-lane': 'crm-work',
  'enrichment-lane': 'enrichment-work',
  'tracking-verdict': 'periodic',
  'credit-expiry': 'periodic',
  'mailbox-erasure': 'periodic',
  'campaign-erasure': 'periodic',
  'webhook-erasure': 'periodic',
  'agent-erasure': 'periodic',
  'send-resolution': 'periodic',
  'lead-resume': 'periodic',
  'sender-protection': 'periodic',
  'event-relay': 'periodic',
  'unreadable-mail': 'periodic',
  'tracking-hosts': 'periodic',
  'enrichment-expiry': 'periodic',
  'chat-check': 'periodic',
  'crm-check': 'periodic',
  'blacklist-schedule': 'periodic',
  'warmup-opening': 'periodic',
  'warmup-watch': 'periodic',
  'report-schedule': 'periodic',
  'warmup-plan': 'periodic',
  'crm-automation': 'periodic',
};

export interface QueueSelection {
  /** In the order given, each once. */
  readonly names: readonly QueueName[];
  /** Names of an earlier release, as given. */
  readonly renamed: readonly string[];
  readonly unknown: readonly string[];
}

/** The queues that `WORKER_QUEUES` names, whichever of their names it uses. */
export function selectQueues(names: readonly string[]): QueueSelection {
  const current = names.map((name) => currentName(name));
  const isKnown = (name: string): name is QueueName => (QUEUE_NAMES as readonly string[]).includes(name);
  return {
    names: [...new Set(current.filter(isKnown))],
    renamed: names.filter((name) => Object.hasOwn(RENAMED_QUEUES, name)),
    unknown: names.filter((name) => !isKnown(currentName(name))),
  };
}

function currentName(name: string): string {
  return (Object.hasOwn(RENAMED_QUEUES, name) ? RENAMED_QUEUES[name] : undefined) ?? name;
}
