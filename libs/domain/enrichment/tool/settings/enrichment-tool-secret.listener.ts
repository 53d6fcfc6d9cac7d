import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { encryptedFields } from '@platform/database';
import { SecretStoreRegistry } from '@platform/secrets';
import { type Model } from 'mongoose';
import { EnrichmentToolRecord } from '../schemas/enrichment-tool.record';
import { TOOL_SECRETS, toolSecretOwner } from './tool-secrets';

/** Registers the secrets of enrichment tools for key rotation. */
@Injectable()
export class EnrichmentToolSecretListener implements OnModuleInit {
  constructor(
    @InjectModel(EnrichmentToolRecord.name) private readonly tools: Model<EnrichmentToolRecord>,
    private readonly stores: SecretStoreRegistry,
  ) {}

  onModuleInit(): void {
    const secrets = TOOL_SECRETS.map((name) => ({
      path: name,
      name,
      owner: ({ workspaceId }: EnrichmentToolRecord) => toolSecretOwner(workspaceId, name),
    }));
    this.stores.add(encryptedFields(this.tools, secrets, ['workspaceId']));
  }
}
