import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { sealedRecords } from '@platform/database';
import { SealedStores } from '@platform/secrets';
import { type Model } from 'mongoose';
import { EnrichmentToolRecord } from '../schemas/enrichment-tool.record';
import { TOOL_SECRETS, toolSecretOwner } from './tool.secrets';

/** Tells whoever seals secrets anew where those of enrichment tools are. */
@Injectable()
export class ToolSealed implements OnModuleInit {
  constructor(
    @InjectModel(EnrichmentToolRecord.name) private readonly tools: Model<EnrichmentToolRecord>,
    private readonly stores: SealedStores,
  ) {}

  onModuleInit(): void {
    const secrets = TOOL_SECRETS.map((name) => ({
      path: name,
      name,
      owner: ({ workspaceId }: EnrichmentToolRecord) => toolSecretOwner(workspaceId, name),
    }));
    this.stores.add(sealedRecords(this.tools, secrets, ['workspaceId']));
  }
}
