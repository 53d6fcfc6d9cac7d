import { type Type } from '@nestjs/common';
import { BootError } from '@platform/lifecycle';
import { QUEUE_NAMES, type QueueName, selectQueues } from '@platform/queues';
import { AgentReplyProcessor } from './agents/agent-reply.processor';
import { AgentTrainingProcessor } from './agents/agent-training.processor';
import { BlacklistTestProcessor } from './deliverability/blacklist-test.processor';
import { MailboxHealthProcessor } from './deliverability/mailbox-health.processor';
import { EnrichmentWorkProcessor } from './enrichment/enrichment-work.processor';
import { LeadVerificationProcessor } from './enrichment/lead-verification.processor';
import { CrmWorkProcessor } from './integrations/crm-work.processor';
import { MailIntakeProcessor } from './inbox/mail-intake.processor';
import { ReplyLabelProcessor } from './inbox/reply-label.processor';
import { getQueueName, type JobProcessor } from './jobs';
import { PeriodicProcessor } from './periodic/periodic.processor';
import { ChatWorkProcessor } from './integrations/chat-work.processor';
import { LeadImportProcessor } from './leads/lead-import.processor';
import { MailboxCheckProcessor } from './mailboxes/mailbox-check.processor';
import { ReportDeliveryProcessor } from './reports/report-delivery.processor';
import { MailboxSendProcessor } from './sending/mailbox-send.processor';
import { WarmupSendProcessor } from './warmup/warmup-send.processor';
import { WebhookWorkProcessor } from './webhooks/webhook-work.processor';
import { WebhookReplayProcessor } from './webhooks/webhook-replay.processor';
import { WorkspacePurgeProcessor } from './identity/workspace-purge.processor';

/** The processor of each queue; the counterpart of the API's controllers.ts. */
const PROCESSORS: Readonly<Record<QueueName, Type<JobProcessor>>> = {
  'workspace-purge': WorkspacePurgeProcessor,
  'mailbox-check': MailboxCheckProcessor,
  'mailbox-health': MailboxHealthProcessor,
  'mailbox-send': MailboxSendProcessor,
  'lead-import': LeadImportProcessor,
  'mail-intake': MailIntakeProcessor,
  'reply-label': ReplyLabelProcessor,
  'agent-reply': AgentReplyProcessor,
  'agent-training': AgentTrainingProcessor,
  'webhook-work': WebhookWorkProcessor,
  'webhook-replay': WebhookReplayProcessor,
  'blacklist-test': BlacklistTestProcessor,
  'enrichment-work': EnrichmentWorkProcessor,
  'lead-verification': LeadVerificationProcessor,
  'chat-work': ChatWorkProcessor,
  'crm-work': CrmWorkProcessor,
  'warmup-send': WarmupSendProcessor,
  'report-delivery': ReportDeliveryProcessor,
  periodic: PeriodicProcessor,
};

/**
 * The processors of the queues that `WORKER_QUEUES` names, or of all queues when it names none.
 * @throws BootError with all problems: an unknown queue, or a processor that is decorated with another queue
 */
export function selectProcessors(selected: readonly string[]): Type<JobProcessor>[] {
  const { names, unknown } = selectQueues(selected);
  const problems = unknown.map((name) => `WORKER_QUEUES names ${name}, which is not one of ${QUEUE_NAMES.join(', ')}`);
  for (const name of QUEUE_NAMES) {
    const queue = getQueueName(PROCESSORS[name]);
    if (queue !== name) problems.push(`${PROCESSORS[name].name} consumes ${queue} instead of ${name}`);
  }
  if (problems.length > 0) {
    throw new BootError(`The worker cannot start:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
  }
  return (names.length > 0 ? names : QUEUE_NAMES).map((name) => PROCESSORS[name]);
}
