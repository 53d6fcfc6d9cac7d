import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { ProtectionModule } from '@domain/protection';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { BlacklistModule } from './blacklist/blacklist.module';
import { DkimSelectorsService } from './health/dkim-selectors.service';
import { DomainExaminationService } from './health/domain-examination.service';
import { DomainEnrolmentService } from './health/domain-enrolment.service';
import { HealthExaminationsService } from './health/health-examinations.service';
import { HealthOutcomesService } from './health/health-outcomes.service';
import { DomainHealthJobService } from './health/domain-health-job.service';
import { MailboxHealthQueue } from './health/mailbox-health.queue';
import { MailboxHealthService } from './health/mailbox-health.service';
import { DeliverabilityOverviewService } from './overview/deliverability-overview.service';
import { DomainListingsReaderService } from './overview/domain-listings-reader.service';
import { SendingFiguresService } from './overview/sending-figures.service';
import { DomainHealthRecord } from './schemas/domain-health.record';
import { HealthEntryRecord } from './schemas/health-entry.record';
import { MtaStsPolicyClient } from './transport/mta-sts-policy.client';

const offered = [MailboxHealthService, DomainHealthJobService, DeliverabilityOverviewService];

@Module({
  imports: [
    DatabaseModule.collections(DomainHealthRecord, HealthEntryRecord),
    AuditModule,
    WorkspacesModule,
    EventsModule,
    MailboxesModule,
    ProtectionModule,
    BlacklistModule,
  ],
  providers: [
    ...offered,
    DkimSelectorsService,
    DomainExaminationService,
    DomainEnrolmentService,
    HealthExaminationsService,
    HealthOutcomesService,
    MailboxHealthQueue,
    MtaStsPolicyClient,
    SendingFiguresService,
    DomainListingsReaderService,
  ],
  exports: offered,
})
export class DeliverabilityModule {}
