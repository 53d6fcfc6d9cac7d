import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { encryptedFields } from '@platform/database';
import { SecretStoreRegistry } from '@platform/secrets';
import { type Model } from 'mongoose';
import { consentOwner } from './oauth-consent-sessions.service';
import { OAuthConsentRecord } from './schemas/oauth-consent.record';

/** Registers the secrets of consents for key rotation. */
@Injectable()
export class OAuthConsentSecretListener implements OnModuleInit {
  constructor(
    @InjectModel(OAuthConsentRecord.name) private readonly consents: Model<OAuthConsentRecord>,
    private readonly stores: SecretStoreRegistry,
  ) {}

  onModuleInit(): void {
    const verifier = {
      path: 'verifier',
      name: 'verifier',
      owner: ({ _id, workspaceId }: OAuthConsentRecord) => consentOwner(workspaceId, _id),
    };
    this.stores.add(encryptedFields(this.consents, [verifier], ['workspaceId']));
  }
}
