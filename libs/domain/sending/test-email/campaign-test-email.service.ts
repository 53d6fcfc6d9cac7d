import { composeMessage } from '@adapters/mail';
import { type WorkspaceScope } from '@domain/access';
import { type CampaignRecord, CampaignRepository, SequenceVersionService, type TemplateNeed } from '@domain/campaigns';
import { LeadRecord } from '@domain/leads';
import { type MailboxRecord, MailboxRepository } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { TrackingUrlsService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId } from '@platform/database';
import { conflict, invalidField, validationFailed } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { DirectMailService } from '../direct/direct-mail.service';
import {
  type PreviewEmailRequest,
  type PreviewEmailResponse,
  type TestEmailRequest,
  type TestEmailResponse,
} from '../dto/test-email.dto';
import { describeMissingValue, getNames } from '../render/missing-value-message';
import { chosenEmail } from './email-choice';
import { renderTestEmail, type TestEmailFacts } from './test-rendering';

/** The sender in the preview of a campaign without a mailbox. */
const NOBODY = { email: 'sender@example.com', displayName: 'Sender', signature: '' };

/** Test emails of a campaign: a preview, or a real email to the author's own address. */
@Injectable()
export class CampaignTestEmailService {
  constructor(
    private readonly mails: DirectMailService,
    private readonly suppressions: SuppressionsService,
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly sequences: SequenceVersionService,
    private readonly mailboxes: MailboxRepository,
    private readonly addresses: TrackingUrlsService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Renders the email as a lead would receive it, and names missing values.
   * @throws NOT_FOUND, CONFLICT if the campaign has no sequence, VALIDATION_ERROR naming an unknown id
   */
  async preview(
    workspace: WorkspaceScope,
    campaignId: string,
    input: PreviewEmailRequest,
  ): Promise<PreviewEmailResponse> {
    const facts = await this.#readFacts(workspace, campaignId, input);
    const { input: message, subject, missing } = renderTestEmail(facts);
    return { subject, html: message.html ?? '', text: message.text ?? '', missing: getNames(missing) };
  }

  /**
   * Sends the email at once, regardless of schedule, interval and pauses of campaign and mailbox. It counts towards the
   * mailbox's day. A failure of the server is a regular response. The call takes at most 30 seconds.
   * @throws NOT_FOUND, CONFLICT if the campaign has no sequence or the mailbox's day is used up, VALIDATION_ERROR
   * naming
   * an unknown id, the missing values, or a suppressed recipient
   */
  async send(workspace: WorkspaceScope, campaignId: string, input: TestEmailRequest): Promise<TestEmailResponse> {
    const { to } = input;
    const facts = await this.#readFacts(workspace, campaignId, input);
    const { input: message, subject, missing } = renderTestEmail(facts);
    if (missing.length > 0) throw validationFailed(missing.map(missingValue));
    if (await this.suppressions.isSuppressed(workspace.workspaceId, to)) {
      throw invalidField('to', `to is suppressed in this workspace: nothing is sent to ${to}`);
    }
    const mailbox = await this.#findSender(workspace, input.mailboxId);
    await this.mails.requireWithinLimit(workspace, mailbox);
    const composed = await composeMessage({ ...message, to: { name: '', address: to } });
    const { messageId, outcome, response } = await this.mails.sendTest(mailbox, composed);
    return { to, messageId, outcome, response, subject };
  }

  /** @throws NOT_FOUND for the campaign, CONFLICT if it has no sequence, VALIDATION_ERROR for any other unknown id */
  async #readFacts(workspace: WorkspaceScope, campaignId: string, input: PreviewEmailRequest): Promise<TestEmailFacts> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const sequence = await this.sequences.findCurrent(campaign);
    if (!sequence) throw conflict('This campaign has no sequence; add its first step');
    const lead = input.leadId === undefined ? null : await this.#findLead(campaign, input.leadId);
    const chosen = chosenEmail(sequence, input, lead?._id.toHexString() ?? null);
    const mailbox = await this.#findMailbox(workspace, campaign, input);
    const urls = await this.addresses.urlsOf(campaign.workspaceId);
    return { campaign, sequence, chosen, lead, mailbox, urls, date: this.clock.now() };
  }

  /** @throws VALIDATION_ERROR for a mailbox that the workspace does not have */
  async #findSender({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<MailboxRecord> {
    const _id = parseId(mailboxId);
    const mailbox = _id && (await this.mailboxes.find(new Types.ObjectId(workspaceId), _id));
    if (!mailbox) throw invalidField('mailboxId', 'mailboxId is not a mailbox of this workspace');
    return mailbox;
  }

  async #findLead({ _id: campaignId, workspaceId }: CampaignRecord, leadId: string): Promise<LeadRecord> {
    const _id = parseId(leadId);
    const lead = _id && (await this.leads.findOne({ _id, workspaceId, campaignId }).lean<LeadRecord>());
    if (!lead) throw invalidField('leadId', 'leadId is not a lead of this campaign');
    return lead;
  }

  async #findMailbox(
    workspace: WorkspaceScope,
    { workspaceId, mailboxes }: CampaignRecord,
    { mailboxId }: PreviewEmailRequest,
  ): Promise<TestEmailFacts['mailbox']> {
    if (mailboxId !== undefined) return this.#findSender(workspace, mailboxId);
    const [first] = await this.mailboxes.listAll(workspaceId, mailboxes.slice(0, 1));
    return first ?? NOBODY;
  }
}

function missingValue(need: TemplateNeed) {
  const field = `variables.${need.name}`;
  return { field, message: `${field}: there is neither a default nor a ${describeMissingValue(need)}` };
}
