import { type WorkspaceScope } from '@domain/access';
import { type CampaignRecord, CampaignRepository, SequencesService } from '@domain/campaigns';
import { LeadRecord } from '@domain/leads';
import { MailboxRepository, type MailboxRecord } from '@domain/mailboxes';
import { TrackingAddressesService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId } from '@platform/database';
import { conflict, invalidField } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { type PreviewEmailRequest } from '../dto/test-email.dto';
import { chosenEmail } from './email-choice';
import { type TestEmailFacts } from './test-rendering';

/** Whose name stands under the preview of a campaign without a mailbox. */
const NOBODY = { email: 'sender@example.com', displayName: 'Sender', signature: '' };

/** Finds what a test email is made of. */
@Injectable()
export class TestEmailInspectionService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly sequences: SequencesService,
    private readonly mailboxes: MailboxRepository,
    private readonly addresses: TrackingAddressesService,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND for the campaign, CONFLICT when it has no sequence, VALIDATION_ERROR for any other unknown id */
  async facts(workspace: WorkspaceScope, campaignId: string, input: PreviewEmailRequest): Promise<TestEmailFacts> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const sequence = await this.sequences.current(campaign);
    if (!sequence) throw conflict('This campaign has no sequence; add its first step');
    const lead = input.leadId === undefined ? null : await this.#lead(campaign, input.leadId);
    const chosen = chosenEmail(sequence, input, lead?._id.toHexString() ?? null);
    const mailbox = await this.#mailbox(workspace, campaign, input);
    const urls = await this.addresses.of(campaign.workspaceId);
    return { campaign, sequence, chosen, lead, mailbox, urls, date: this.clock.now() };
  }

  /** @throws VALIDATION_ERROR for a mailbox that the workspace does not have */
  async sender({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<MailboxRecord> {
    const _id = parseId(mailboxId);
    const mailbox = _id && (await this.mailboxes.find(new Types.ObjectId(workspaceId), _id));
    if (!mailbox) throw invalidField('mailboxId', 'mailboxId is not a mailbox of this workspace');
    return mailbox;
  }

  async #lead({ _id: campaignId, workspaceId }: CampaignRecord, leadId: string): Promise<LeadRecord> {
    const _id = parseId(leadId);
    const lead = _id && (await this.leads.findOne({ _id, workspaceId, campaignId }).lean<LeadRecord>());
    if (!lead) throw invalidField('leadId', 'leadId is not a lead of this campaign');
    return lead;
  }

  async #mailbox(
    workspace: WorkspaceScope,
    { workspaceId, mailboxes }: CampaignRecord,
    { mailboxId }: PreviewEmailRequest,
  ): Promise<TestEmailFacts['mailbox']> {
    if (mailboxId !== undefined) return this.sender(workspace, mailboxId);
    const [first] = await this.mailboxes.listAll(workspaceId, mailboxes.slice(0, 1));
    return first ?? NOBODY;
  }
}
