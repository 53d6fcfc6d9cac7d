import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OAuthClient } from '@platform/oauth';
import { OutboundModule } from '@platform/outbound';
import { OAuthConsentSecretListener } from './oauth-consent-secret.listener';
import { OAuthConsentSessionsService } from './oauth-consent-sessions.service';
import { OAuthConsentRecord } from './schemas/oauth-consent.record';

/** OAuth of mailboxes, chats and CRMs: the client of their vendors, and the consent sessions. */
@Module({
  imports: [DatabaseModule.collections(OAuthConsentRecord), OutboundModule],
  providers: [OAuthClient, OAuthConsentSessionsService, OAuthConsentSecretListener],
  exports: [OAuthClient, OAuthConsentSessionsService],
})
export class OAuthModule {}
