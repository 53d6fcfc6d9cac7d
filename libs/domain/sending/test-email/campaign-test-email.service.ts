import { composeMessage } from '@adapters/mail';
import { type WorkspaceScope } from '@domain/access';
import { SuppressionsService } from '@domain/suppressions';
import { type TemplateNeed } from '@domain/campaigns';
import { DirectMailService } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { invalidField, validationFailed } from '@platform/errors';
import {
  type PreviewEmailRequest,
  type PreviewEmailResponse,
  type TestEmailRequest,
  type TestEmailResponse,
} from '../dto/test-email.dto';
import { TestEmailInspectionService } from './test-email-inspection.service';
import { getNames, describeMissingValue } from '../render/missing-value-message';
import { renderTestEmail } from './test-rendering';

/** Emails of a campaign for whoever writes it: to look at, or sent to an address of one's own. */
@Injectable()
export class CampaignTestEmailService {
  constructor(
    private readonly inspection: TestEmailInspectionService,
    private readonly mails: DirectMailService,
    private readonly suppressions: SuppressionsService,
  ) {}

  /**
   * The email as a lead would get it, with what is missing in it named.
   * @throws NOT_FOUND, CONFLICT when the campaign has no sequence, VALIDATION_ERROR naming an id that is unknown
   */
  async preview(
    workspace: WorkspaceScope,
    campaignId: string,
    input: PreviewEmailRequest,
  ): Promise<PreviewEmailResponse> {
    const facts = await this.inspection.facts(workspace, campaignId, input);
    const { input: message, subject, missing } = renderTestEmail(facts);
    return { subject, html: message.html ?? '', text: message.text ?? '', missing: getNames(missing) };
  }

  /**
   * Sends the email at once, whatever schedule and interval say, and whether or not campaign and mailbox are paused. It
   * counts as one of the mailbox's day. A failure of the server is an answer; it takes half a minute at most.
   * @throws NOT_FOUND, CONFLICT when the campaign has no sequence or the mailbox's day is used up, VALIDATION_ERROR naming
   *   an id that is unknown, the values that are missing, and a recipient who must not be written to
   */
  async send(workspace: WorkspaceScope, campaignId: string, input: TestEmailRequest): Promise<TestEmailResponse> {
    const { to } = input;
    const facts = await this.inspection.facts(workspace, campaignId, input);
    const { input: message, subject, missing } = renderTestEmail(facts);
    if (missing.length > 0) throw validationFailed(missing.map(missingValue));
    if (await this.suppressions.isSuppressed(workspace.workspaceId, to)) {
      throw invalidField('to', `to is suppressed in this workspace: nothing is sent to ${to}`);
    }
    const mailbox = await this.inspection.sender(workspace, input.mailboxId);
    await this.mails.requireWithinLimit(workspace, mailbox);
    const composed = await composeMessage({ ...message, to: { name: '', address: to } });
    const { messageId, outcome, response } = await this.mails.sendTest(workspace, mailbox, composed);
    return { to, messageId, outcome, response, subject };
  }
}

function missingValue(need: TemplateNeed) {
  const field = `variables.${need.name}`;
  return { field, message: `${field}: there is neither a default nor a ${describeMissingValue(need)}` };
}
