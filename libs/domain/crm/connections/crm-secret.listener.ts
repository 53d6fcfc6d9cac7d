import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { encryptedFields } from '@platform/database';
import { SecretStoreRegistry } from '@platform/secrets';
import { type Model } from 'mongoose';
import { CONNECTION_SECRETS, connectionSecretOwner } from './crm-secrets';
import { CrmConnectionRecord } from './schemas/crm-connection.record';

/** Registers the secrets of CRM connections for key rotation. */
@Injectable()
export class CrmSecretListener implements OnModuleInit {
  constructor(
    @InjectModel(CrmConnectionRecord.name) private readonly connections: Model<CrmConnectionRecord>,
    private readonly stores: SecretStoreRegistry,
  ) {}

  onModuleInit(): void {
    const secrets = CONNECTION_SECRETS.map((name) => ({
      path: name,
      name,
      owner: ({ _id, workspaceId }: CrmConnectionRecord) => connectionSecretOwner(workspaceId, _id, name),
    }));
    this.stores.add(encryptedFields(this.connections, secrets, ['workspaceId']));
  }
}
