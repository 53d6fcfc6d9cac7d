import { MailboxesModule } from '@domain/mailboxes';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { MailboxLeaseRecord } from './schemas/mailbox-lease.record';
import { SendRecord } from './schemas/send.record';
import { MailboxSendingListener } from './mailbox-sending.listener';
import { SendBatchRepository } from './send-batch.repository';
import { SendsReleaseListener } from './sends-release.listener';
import { SendReadRepository } from './send-read.repository';
import { LatestSendsRepository } from './latest-sends.repository';
import { MachineSightsRepository } from './machine-sights.repository';
import { ReturnedSendsRepository } from './returned-sends.repository';
import { SendRepository } from './send.repository';
import { SendTrackingRepository } from './send-tracking.repository';
import { SendWithholdingRepository } from './send-withholding.repository';
import { MailboxSendQueue } from './mailbox-send.queue';
import { MailboxLeaseService } from './mailbox-lease.service';

@Module({
  imports: [DatabaseModule.collections(SendRecord, MailboxLeaseRecord), MailboxesModule],
  providers: [
    SendRepository,
    SendBatchRepository,
    LatestSendsRepository,
    SendReadRepository,
    ReturnedSendsRepository,
    SendTrackingRepository,
    MachineSightsRepository,
    SendWithholdingRepository,
    MailboxLeaseService,
    MailboxSendQueue,
    SendsReleaseListener,
    MailboxSendingListener,
  ],
  exports: [
    SendRepository,
    SendBatchRepository,
    LatestSendsRepository,
    SendReadRepository,
    ReturnedSendsRepository,
    SendTrackingRepository,
    MachineSightsRepository,
    SendWithholdingRepository,
    MailboxLeaseService,
  ],
})
export class SendsModule {}
