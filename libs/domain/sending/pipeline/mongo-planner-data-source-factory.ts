import { SequenceVersionService } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { SendQuotaRepository } from '../quota/send-quota.repository';
import { type SenderMailbox, MailboxSenderCache } from './mailbox-sender-cache';
import { MailboxReadBatchService } from './batching/mailbox-read-batch.service';
import { DueLeadCacheService } from './due-lead-cache.service';
import { PostponedLeadsService } from './postponed-leads.service';
import { MailboxRotationService } from './mailbox-rotation.service';
import { MongoPlannerDataSource, type PlannerDataSourceFactory } from './mongo-planner-data-source';

/** Opens the database as a turn sees it. */
@Injectable()
export class MongoPlannerDataSourceFactory implements PlannerDataSourceFactory {
  constructor(
    readonly campaigns: MailboxReadBatchService,
    readonly sequences: SequenceVersionService,
    readonly desk: DueLeadCacheService,
    readonly postponed: PostponedLeadsService,
    readonly rotation: MailboxRotationService,
    readonly quotas: SendQuotaRepository,
  ) {}

  open(mailbox: SenderMailbox, now: Date, memory = new MailboxSenderCache(now)): MongoPlannerDataSource {
    return new MongoPlannerDataSource(this, mailbox, now, memory);
  }
}
