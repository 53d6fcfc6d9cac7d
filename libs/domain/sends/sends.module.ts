import { MailboxesModule } from '@domain/mailboxes';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { MailboxSendingListener } from './mailbox-sending.listener';
import { MailboxLeaseRecord } from './schemas/mailbox-lease.record';
import { SendRecord } from './schemas/send.record';
import { SendBatchRepository } from './send-batch.repository';

import { SendReadRepository } from './send-read.repository';

import { SendRepository } from './send.repository';

import { MailboxSendQueue } from './mailbox-send.queue';
import { MailboxLeaseService } from './mailbox-lease.service';

@Module({
  imports: [DatabaseModule.collections(SendRecord, MailboxLeaseRecord), MailboxesModule],
  providers: [
    SendRepository,
    SendBatchRepository,
    SendReadRepository,
    MailboxLeaseService,
    MailboxSendQueue,
    MailboxSendingListener,
  ],
  exports: [SendRepository, SendBatchRepository, SendReadRepository, MailboxLeaseService],
})
export class SendsModule {}
