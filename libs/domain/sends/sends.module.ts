import { MailboxesModule } from '@domain/mailboxes';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { MailboxTurnRecord } from './schemas/mailbox-turn.record';
import { SendRecord } from './schemas/send.record';
import { MailboxChanges } from './sends.mailbox-changes.service';
import { SendGroups } from './send.groups.service';
import { SendsRelease } from './sends.release.service';
import { LatestSends } from './sends.latest.service';
import { Sends } from './sends.service';
import { SendWithholding } from './sends.withholding.service';
import { TurnQueue } from './turns.queue';
import { Turns } from './turns.service';

@Module({
  imports: [DatabaseModule.collections(SendRecord, MailboxTurnRecord), MailboxesModule],
  providers: [Sends, SendGroups, LatestSends, SendWithholding, Turns, TurnQueue, SendsRelease, MailboxChanges],
  exports: [Sends, SendGroups, LatestSends, SendWithholding, Turns],
})
export class SendsModule {}
