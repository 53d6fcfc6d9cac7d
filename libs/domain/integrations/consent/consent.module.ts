import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { ConsentSealed } from './consent.sealed';
import { ConsentSessions } from './consent.sessions.service';
import { IntegrationConsentRecord } from './schemas/integration-consent.record';

/** Journeys to consent pages, for the chat and the CRMs. */
@Module({
  imports: [DatabaseModule.collections(IntegrationConsentRecord)],
  providers: [ConsentSessions, ConsentSealed],
  exports: [ConsentSessions],
})
export class ConsentModule {}
