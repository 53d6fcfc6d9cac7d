import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { LookupPace } from './listing/lookup.pace';
import { ZoneSelfTests } from './listing/self.tests.service';
import { ZoneLookups } from './listing/zone.lookups.service';
import { BlacklistSchedules } from './schedules/blacklist.schedules.service';
import { ScheduleRuns } from './schedules/schedule.runs.service';
import { BlacklistFindingRecord } from './schemas/blacklist-finding.record';
import { BlacklistScheduleRecord } from './schemas/blacklist-schedule.record';
import { BlacklistStandingRecord } from './schemas/blacklist-standing.record';
import { BlacklistTestRecord } from './schemas/blacklist-test.record';
import { BlacklistZoneRecord } from './schemas/blacklist-zone.record';
import { SendingAddressRecord } from './schemas/sending-address.record';
import { BlacklistTestCreation } from './tests/blacklist.creation.service';
import { BlacklistMailboxUse } from './tests/blacklist.mailbox-use.service';
import { BlacklistTestRuns } from './tests/blacklist.runs.service';
import { BlacklistStandings } from './tests/blacklist.standings.service';
import { BlacklistTestQueue } from './tests/blacklist.test.queue';
import { BlacklistTests } from './tests/blacklist.tests.service';
import { SendingAddresses } from './tests/sending.addresses.service';
import { TestExaminations } from './tests/test.examinations.service';
import { TestFindings } from './tests/test.findings.service';
import { TestInsertion } from './tests/test.insertion.service';
import { TestPlans } from './tests/test.plans.service';
import { TestStates } from './tests/test.states.service';
import { ZoneCatalogue } from './zones/zone.catalogue';
import { BlacklistZones } from './zones/zones.service';

/** What lists put up with from one client: 4 questions at a time and 50 a second each; 48 at a time to all of them. */
const PACE = { inFlightPerZone: 4, gapMs: 20, inFlight: 48 };

const offered = [
  BlacklistTests,
  BlacklistTestCreation,
  BlacklistTestRuns,
  BlacklistSchedules,
  ScheduleRuns,
  BlacklistZones,
  BlacklistStandings,
  SendingAddresses,
];

@Module({
  imports: [
    DatabaseModule.collections(
      BlacklistTestRecord,
      BlacklistFindingRecord,
      BlacklistStandingRecord,
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
    { provide: LookupPace, useFactory: () => new LookupPace(PACE) },
    ZoneLookups,
    ZoneSelfTests,
    BlacklistMailboxUse,
    BlacklistTestQueue,
    TestExaminations,
    TestFindings,
    TestInsertion,
    TestPlans,
    TestStates,
  ],
  exports: offered,
})
export class BlacklistModule {}
