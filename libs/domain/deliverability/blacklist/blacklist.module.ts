import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { LookupRateLimiter } from './lookups/lookup-rate-limiter';
import { ZoneSelfTestsService } from './zones/zone-self-tests.service';
import { ZoneLookupsService } from './zones/zone-lookups.service';
import { BlacklistSchedulesService } from './schedules/blacklist-schedules.service';
import { ScheduleRunsService } from './schedules/schedule-runs.service';
import { BlacklistFindingRecord } from './schemas/blacklist-finding.record';
import { BlacklistScheduleRecord } from './schemas/blacklist-schedule.record';
import { MailboxBlacklistStatusRecord } from './schemas/mailbox-blacklist-status.record';
import { BlacklistTestRecord } from './schemas/blacklist-test.record';
import { BlacklistZoneRecord } from './schemas/blacklist-zone.record';
import { SendingAddressRecord } from './schemas/sending-address.record';
import { BlacklistTestCreationService } from './runs/blacklist-test-creation.service';
import { BlacklistMailboxListener } from './runs/blacklist-mailbox.listener';
import { BlacklistTestJobService } from './runs/blacklist-test-job.service';
import { MailboxBlacklistStatusRepository } from './runs/mailbox-blacklist-status.repository';
import { BlacklistTestQueue } from './runs/blacklist-test.queue';
import { BlacklistTestsService } from './runs/blacklist-tests.service';
import { SendingAddressRepository } from './runs/sending-address.repository';
import { TestExaminationsService } from './runs/test-examinations.service';
import { TestFindingsRepository } from './runs/test-findings.repository';
import { TestInsertionService } from './runs/test-insertion.service';
import { BlacklistTestPlanService } from './runs/blacklist-test-plan.service';
import { BlacklistTestRepository } from './runs/blacklist-test.repository';
import { ZoneCatalogue } from './zones/zone-catalogue';
import { BlacklistZonesService } from './zones/blacklist-zones.service';

/** What lists put up with from one client: 4 questions at a time and 50 a second each; 48 at a time to all of them. */
const LOOKUP_LIMITS = { inFlightPerZone: 4, gapMs: 20, inFlight: 48 };

const offered = [
  BlacklistTestsService,
  BlacklistTestCreationService,
  BlacklistTestJobService,
  BlacklistSchedulesService,
  ScheduleRunsService,
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
    ...offered,
    {
      provide: ZoneCatalogue,
      useFactory: ({ blacklistZonesFile }: Config) => ZoneCatalogue.load(blacklistZonesFile),
      inject: [Config],
    },
    { provide: LookupRateLimiter, useFactory: () => new LookupRateLimiter(LOOKUP_LIMITS) },
    ZoneLookupsService,
    ZoneSelfTestsService,
    BlacklistMailboxListener,
    BlacklistTestQueue,
    TestExaminationsService,
    TestFindingsRepository,
    TestInsertionService,
    BlacklistTestPlanService,
    BlacklistTestRepository,
  ],
  exports: offered,
})
export class BlacklistModule {}
