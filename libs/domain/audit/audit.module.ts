import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { AuditService } from './audit.service';
import { AuditRecord } from './schemas/audit.record';

@Module({
  imports: [DatabaseModule.collections(AuditRecord)],
  providers: [AuditService],
  exports: [AuditService],
})
export class AuditModule {}
