import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { encryptedFields } from '@platform/database';
import { SecretStoreRegistry } from '@platform/secrets';
import { type Model } from 'mongoose';
import { consentOwner } from './consent.sessions.service';
import { IntegrationConsentRecord } from './schemas/integration-consent.record';

/** Tells whoever seals secrets anew where those of consents are. */
@Injectable()
export class ConsentSealed implements OnModuleInit {
  constructor(
    @InjectModel(IntegrationConsentRecord.name) private readonly consents: Model<IntegrationConsentRecord>,
    private readonly stores: SecretStoreRegistry,
  ) {}

  onModuleInit(): void {
    const verifier = {
      path: 'verifier',
      name: 'verifier',
      owner: ({ _id, workspaceId }: IntegrationConsentRecord) => consentOwner(workspaceId, _id),
    };
    this.stores.add(encryptedFields(this.consents, [verifier], ['workspaceId']));
  }
}
