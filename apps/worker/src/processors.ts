import { type Type } from '@nestjs/common';
import { MailboxChecks } from '@domain/mailboxes';
import { WorkspacePurge } from '@domain/workspaces';
import { type Sweep } from '@platform/queues';
import { CreditExpiryProcessor } from './credits/credit-expiry.processor';
import { type JobProcessor } from './jobs';
import { MailboxCheckProcessor } from './mailboxes/mailbox-check.processor';
import { MailboxErasureProcessor } from './mailboxes/mailbox-erasure.processor';
import { WorkspacePurgeProcessor } from './workspaces/workspace-purge.processor';

/** The job surface: every processor. Mirror of the API's controllers.ts. */
export const processors: readonly Type<JobProcessor>[] = [
  CreditExpiryProcessor,
  WorkspacePurgeProcessor,
  MailboxCheckProcessor,
  MailboxErasureProcessor,
] as Type<JobProcessor>[];

/** Services that restore the jobs that should exist. */
export const sweeps: readonly Type<Sweep>[] = [WorkspacePurge, MailboxChecks];
