import { AuditModule } from '@domain/audit';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { CreditsService } from './credits.service';
import { LedgerCheck } from './ledger.check.service';
import { Ledger } from './ledger.service';
import { CreditReservations } from './reservations.service';
import { CreditAccountRecord } from './schemas/credit-account.record';
import { CreditEntryRecord } from './schemas/credit-entry.record';
import { CreditReservationRecord } from './schemas/credit-reservation.record';

@Module({
  imports: [AuditModule, DatabaseModule.collections(CreditAccountRecord, CreditEntryRecord, CreditReservationRecord)],
  providers: [Ledger, LedgerCheck, CreditsService, CreditReservations],
  exports: [CreditsService, CreditReservations],
})
export class CreditsModule {}
