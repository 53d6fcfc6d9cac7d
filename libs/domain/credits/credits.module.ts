import { AuditModule } from '@domain/audit';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { CreditsService } from './credits.service';
import { CreditLedgerRepository } from './credit-ledger.repository';
import { CreditAccountRecord } from './schemas/credit-account.record';
import { CreditEntryRecord } from './schemas/credit-entry.record';
import { CreditReservationRecord } from './schemas/credit-reservation.record';

@Module({
  imports: [AuditModule, DatabaseModule.collections(CreditAccountRecord, CreditEntryRecord, CreditReservationRecord)],
  providers: [CreditLedgerRepository, CreditsService],
  exports: [CreditsService],
})
export class CreditsModule {}
