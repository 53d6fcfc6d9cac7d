import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { ProtectionModule } from '@domain/protection';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { BlacklistModule } from './blacklist/blacklist.module';
import { DkimSelectors } from './health/dkim.selectors.service';
import { DomainExaminer } from './health/domain.examiner.service';
import { HealthEnrolment } from './health/health.enrolment.service';
import { HealthExaminations } from './health/health.examinations.service';
import { HealthOutcomes } from './health/health.outcomes.service';
import { HealthRuns } from './health/health.runs.service';
import { MailboxHealthQueue } from './health/mailbox.health.queue';
import { MailboxHealths } from './health/mailbox.healths.service';
import { DeliverabilityOverview } from './overview/deliverability.overview.service';
import { DomainListingsReader } from './overview/domain.listings.service';
import { SendingFigures } from './overview/sending.figures.service';
import { DomainHealthRecord } from './schemas/domain-health.record';
import { HealthEntryRecord } from './schemas/health-entry.record';
import { PolicyHttp } from './transport/policy.http';

const offered = [MailboxHealths, HealthRuns, DeliverabilityOverview];

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
    DkimSelectors,
    DomainExaminer,
    HealthEnrolment,
    HealthExaminations,
    HealthOutcomes,
    MailboxHealthQueue,
    PolicyHttp,
    SendingFigures,
    DomainListingsReader,
  ],
  exports: offered,
})
export class DeliverabilityModule {}
