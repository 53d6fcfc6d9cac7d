import { AuditModule } from '@domain/audit';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { SuppressionEntryRecord } from './schemas/suppression-entry.record';
import { SuppressionRecord } from './schemas/suppression.record';
import { SuppressionEffects } from './suppression.effects';
import { SuppressionLedger } from './suppression.ledger.service';
import { Suppressions } from './suppressions.service';

@Module({
  imports: [DatabaseModule.collections(SuppressionRecord, SuppressionEntryRecord), AuditModule],
  providers: [Suppressions, SuppressionEffects, SuppressionLedger],
  exports: [Suppressions, SuppressionEffects],
})
export class SuppressionsModule {}
