import { AuditModule } from '@domain/audit';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { CreditsService } from './credits.service';
import { CreditLedgerService } from './credit-ledger.service';
import { CreditAccountRecord } from './schemas/credit-account.record';
import { CreditEntryRecord } from './schemas/credit-entry.record';
import { CreditReservationRecord } from './schemas/credit-reservation.record';

@Module({
  imports: [AuditModule, DatabaseModule.collections(CreditAccountRecord, CreditEntryRecord, CreditReservationRecord)],
  providers: [CreditLedgerService, CreditsService],
  exports: [CreditsService],
})
export class CreditsModule {}
