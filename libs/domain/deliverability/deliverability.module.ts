import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { MailboxesModule } from '@domain/mailboxes';
import { ProtectionModule } from '@domain/protection';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { BlacklistModule } from './blacklist/blacklist.module';
import { DkimSelectorsService } from './health/dkim-selectors.service';
import { DomainEnrolmentService } from './health/domain-enrolment.service';
import { DomainExaminationService } from './health/domain-examination.service';
import { DomainHealthJobService } from './health/domain-health-job.service';
import { DomainHealthService } from './health/domain-health.service';
import { MailboxHealthQueue } from './health/mailbox-health.queue';
import { MailboxHealthService } from './health/mailbox-health.service';
import { DeliverabilityOverviewService } from './overview/deliverability-overview.service';
import { DomainHealthRecord } from './schemas/domain-health.record';
import { HealthEntryRecord } from './schemas/health-entry.record';
import { MtaStsPolicyClient } from './transport/mta-sts-policy.client';

const exported = [MailboxHealthService, DomainHealthJobService, DeliverabilityOverviewService];

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
    ...exported,
    DkimSelectorsService,
    DomainExaminationService,
    DomainEnrolmentService,
    DomainHealthService,
    MailboxHealthQueue,
    MtaStsPolicyClient,
  ],
  exports: exported,
})
export class DeliverabilityModule {}
