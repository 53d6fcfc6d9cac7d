import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { MailboxesModule } from '@domain/mailboxes';
import { Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { RateLimiter } from '@platform/concurrency';
import { BlacklistMailboxListener } from './runs/blacklist-mailbox.listener';
import { BlacklistTestJobRecordService } from './runs/blacklist-test-job-record.service';
import { BlacklistTestJobService } from './runs/blacklist-test-job.service';
import { BlacklistTestQueue } from './runs/blacklist-test.queue';
import { BlacklistTestRepository } from './runs/blacklist-test.repository';
import { BlacklistTestsService } from './runs/blacklist-tests.service';
import { MailboxBlacklistStatusRepository } from './runs/mailbox-blacklist-status.repository';
import { SendingAddressRepository } from './runs/sending-address.repository';
import { BlacklistSchedulesService } from './schedules/blacklist-schedules.service';
import { BlacklistFindingRecord } from './schemas/blacklist-finding.record';
import { BlacklistScheduleRecord } from './schemas/blacklist-schedule.record';
import { BlacklistTestRecord } from './schemas/blacklist-test.record';
import { BlacklistZoneRecord } from './schemas/blacklist-zone.record';
import { MailboxBlacklistStatusRecord } from './schemas/mailbox-blacklist-status.record';
import { SendingAddressRecord } from './schemas/sending-address.record';
import { BlacklistZonesService } from './zones/blacklist-zones.service';
import { ZoneCatalogue } from './zones/zone-catalogue';
import { ZoneLookupsService } from './zones/zone-lookups.service';

/** Limits that blacklists accept from one client: 4 queries at a time and 50 a second each; 48 at a time in all. */
const LOOKUP_LIMITS = { perKey: 4, gapMs: 20, total: 48 };

const exported = [
  BlacklistTestsService,
  BlacklistTestJobService,
  BlacklistTestJobRecordService,
  BlacklistSchedulesService,
  BlacklistZonesService,
  MailboxBlacklistStatusRepository,
  SendingAddressRepository,
];

@Module({
  imports: [
    DatabaseModule.collections(
      BlacklistTestRecord,
      BlacklistFindingRecord,
      MailboxBlacklistStatusRecord,
      BlacklistScheduleRecord,
      BlacklistZoneRecord,
      SendingAddressRecord,
    ),
    AuditModule,
    EventsModule,
    MailboxesModule,
    WorkspacesModule,
  ],
  providers: [
    ...exported,
    {
      provide: ZoneCatalogue,
      useFactory: ({ blacklistZonesFile }: Config) => ZoneCatalogue.load(blacklistZonesFile),
      inject: [Config],
    },
    { provide: RateLimiter, useFactory: () => new RateLimiter(LOOKUP_LIMITS) },
    ZoneLookupsService,
    BlacklistMailboxListener,
    BlacklistTestQueue,
    BlacklistTestRepository,
    BlacklistTestJobService,
  ],
  exports: exported,
})
export class BlacklistModule {}
