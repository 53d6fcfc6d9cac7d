import { AuditModule } from '@domain/audit';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { SuppressionEntryRecord } from './schemas/suppression-entry.record';
import { SuppressionRecord } from './schemas/suppression.record';
import { SuppressionsService } from './suppressions.service';

@Module({
  imports: [DatabaseModule.collections(SuppressionRecord, SuppressionEntryRecord), AuditModule],
  providers: [SuppressionsService],
  exports: [SuppressionsService],
})
export class SuppressionsModule {}
