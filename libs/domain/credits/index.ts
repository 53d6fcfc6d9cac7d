export { CreditsModule } from './credits.module';
export { CreditsService } from './credits.service';
export { CreditBalanceResponse } from './dto/credit-balance.dto';
export { CreditEntryResponse, GrantCreditsRequest, LedgerQuery } from './dto/credit-entry.dto';
