import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OAuthConsentSecretListener } from './oauth-consent-secret.listener';
import { OAuthConsentSessionsService } from './oauth-consent-sessions.service';
import { OAuthConsentRecord } from './schemas/oauth-consent.record';

/** OAuth consent sessions of the chat and the CRMs. */
@Module({
  imports: [DatabaseModule.collections(OAuthConsentRecord)],
  providers: [OAuthConsentSessionsService, OAuthConsentSecretListener],
  exports: [OAuthConsentSessionsService],
})
export class OAuthModule {}
