import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { Types } from 'mongoose';
import { CAMPAIGN_SETTINGS } from './campaign-defaults';
import { getVerification } from './campaign-verification';
import { CampaignWriterRepository } from './campaign-writer.repository';
import { CampaignCreationService } from './campaign-creation.service';
import { CampaignsService } from './campaigns.service';
import { type CampaignResponse } from './dto/campaign.dto';
import { type CampaignRecord } from './schemas/campaign.record';
import { SequenceVersionService } from './sequence-version.service';

const LONGEST_NAME = 200;

/** Making a campaign after another one. */
@Injectable()
export class CampaignDuplicationService {
  constructor(
    private readonly writer: CampaignWriterRepository,
    private readonly creation: CampaignCreationService,
    private readonly publication: SequenceVersionService,
    private readonly shown: CampaignsService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * A draft with the settings, the mailboxes and the published sequence of a campaign; without its leads and figures. Its
   * steps have ids of their own.
   * @throws NOT_FOUND, LIMIT_EXCEEDED (maxCampaigns)
   */
  async duplicate(workspace: WorkspaceScope, campaignId: string): Promise<CampaignResponse> {
    const record = await this.transactions.run(async () => {
      const original = await this.writer.find(workspace, campaignId);
      const published = await this.publication.published(original);
      const steps = (published?.steps ?? []).map((step) => ({
        ...step,
        _id: new Types.ObjectId(),
        variants: step.variants.map((variant) => ({ ...variant, _id: new Types.ObjectId() })),
      }));
      return this.creation.insert(workspace, {
        name: copyOf(original.name),
        settings: settingsOf(original),
        mailboxes: original.mailboxes.map((id) => id.toHexString()),
        steps,
      });
    });
    return this.shown.shown(workspace, record);
  }
}

function settingsOf(original: CampaignRecord): Partial<CampaignRecord> {
  const settings = Object.fromEntries(CAMPAIGN_SETTINGS.map((name) => [name, original[name]]));
  const { sendingSchedule } = original;
  return { ...(settings as Partial<CampaignRecord>), sendingSchedule, verification: getVerification(original) };
}

function copyOf(name: string): string {
  // A name is cut between characters, not inside of one.
  return Array.from(`Copy of ${name}`).reduce(
    (text, char) => (text.length + char.length > LONGEST_NAME ? text : text + char),
    '',
  );
}
