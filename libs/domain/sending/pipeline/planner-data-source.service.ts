import { SequenceVersionService } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { SendQuotaRepository } from '../quota/send-quota.repository';
import { MailboxReadBatchService } from './batching/mailbox-read-batch.service';
import { DueLeadCacheService } from './due-lead-cache.service';
import { MailboxRotationService } from './mailbox-rotation.service';
import { MailboxSenderCache, type SenderMailbox } from './mailbox-sender-cache';
import { MongoPlannerDataSource, type PlannerSources } from './mongo-planner-data-source';
import { PostponedLeadsService } from './postponed-leads.service';

/** Opens the planner's data source over the database. */
@Injectable()
export class PlannerDataSourceService implements PlannerSources {
  constructor(
    readonly campaigns: MailboxReadBatchService,
    readonly sequences: SequenceVersionService,
    readonly dueLeads: DueLeadCacheService,
    readonly postponed: PostponedLeadsService,
    readonly rotation: MailboxRotationService,
    readonly quotas: SendQuotaRepository,
  ) {}

  open(mailbox: SenderMailbox, now: Date, cache = new MailboxSenderCache(now)): MongoPlannerDataSource {
    return new MongoPlannerDataSource(this, mailbox, now, cache);
  }
}
