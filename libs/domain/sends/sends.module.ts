import { MailboxesModule } from '@domain/mailboxes';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { MailboxTurnRecord } from './schemas/mailbox-turn.record';
import { SendRecord } from './schemas/send.record';
import { MailboxChanges } from './sends.mailbox-changes.service';
import { SendGroups } from './send.groups.service';
import { SendsRelease } from './sends.release.service';
import { SendCounts } from './sends.counted.service';
import { LatestSends } from './sends.latest.service';
import { MachineSights } from './sends.machines.service';
import { ReturnedSends } from './sends.returned.service';
import { Sends } from './sends.service';
import { SendTracking } from './sends.tracking.service';
import { SendWithholding } from './sends.withholding.service';
import { TurnQueue } from './turns.queue';
import { Turns } from './turns.service';

@Module({
  imports: [DatabaseModule.collections(SendRecord, MailboxTurnRecord), MailboxesModule],
  providers: [
    Sends,
    SendGroups,
    LatestSends,
    SendCounts,
    ReturnedSends,
    SendTracking,
    MachineSights,
    SendWithholding,
    Turns,
    TurnQueue,
    SendsRelease,
    MailboxChanges,
  ],
  exports: [
    Sends,
    SendGroups,
    LatestSends,
    SendCounts,
    ReturnedSends,
    SendTracking,
    MachineSights,
    SendWithholding,
    Turns,
  ],
})
export class SendsModule {}
