import { type EnrichmentTable } from '@adapters/enrichment';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { EnrichmentToolRecord } from '../schemas/enrichment-tool.record';
import { ToolSecretsService } from './tool-secrets.service';

/** Tools as those see them who use them. */
@Injectable()
export class ToolTablesService {
  constructor(
    @InjectModel(EnrichmentToolRecord.name) private readonly tools: Model<EnrichmentToolRecord>,
    private readonly secrets: ToolSecretsService,
  ) {}

  /** The workspace's tool; null when there is none. */
  async find(workspaceId: string): Promise<EnrichmentToolRecord | null> {
    return this.tools.findOne({ workspaceId }).lean<EnrichmentToolRecord>();
  }

  /** The workspace's tool; null when there is none, or when it is switched off. */
  async inUse(workspaceId: string): Promise<EnrichmentToolRecord | null> {
    const tool = await this.find(workspaceId);
    return tool?.enabled === true ? tool : null;
  }

  /** Where its rows go. @throws SecretOpenError when the key is gone */
  open(tool: EnrichmentToolRecord): EnrichmentTable {
    return this.secrets.table(tool);
  }

  /** With what its results are signed; null when they are not. @throws SecretOpenError when the key is gone */
  signingSecret(tool: EnrichmentToolRecord): string | null {
    return this.secrets.signingSecret(tool);
  }

  /** Lets a tool alone until then, in all processes. Not one that was set anew since. */
  async startCooldown({ _id, workspaceId, webhookUrl }: EnrichmentToolRecord, until: Date): Promise<void> {
    await this.tools.updateOne({ _id, workspaceId, webhookUrl }, { $max: { restUntil: until } }, { timestamps: false });
  }
}
