import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { LeadsModule } from '@domain/leads';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { TrackingHits } from './hits/tracking.hits.service';
import { HostProof } from './hosts/host.proof.service';
import { TrackingAddresses } from './hosts/tracking.addresses.service';
import { TrackingHostChecks } from './hosts/tracking.host.checks.service';
import { TrackingHosts } from './hosts/tracking.hosts.service';
import { OptOutRecords } from './opt-outs/opt.out.records.service';
import { OptOuts } from './opt-outs/opt.outs.service';
import { TrackingHitRecord } from './schemas/tracking-hit.record';
import { TrackingHostRecord } from './schemas/tracking-host.record';
import { TrackingTokens } from './tracking.tokens';
import { HitVerdicts } from './verdict/hit.verdicts.service';
import { Sights } from './verdict/sights.service';

const offered = [
  TrackingTokens,
  TrackingAddresses,
  TrackingHits,
  HitVerdicts,
  OptOuts,
  TrackingHosts,
  TrackingHostChecks,
  HostProof,
  OptOutRecords,
];

@Module({
  imports: [
    DatabaseModule.collections(TrackingHitRecord, TrackingHostRecord),
    AuditModule,
    WorkspacesModule,
    EventsModule,
    SuppressionsModule,
    MailboxesModule,
    SendsModule,
    CampaignsModule,
    LeadsModule,
  ],
  providers: [...offered, Sights],
  exports: offered,
})
export class TrackingModule {}
