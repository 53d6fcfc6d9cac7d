import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { type CampaignRecord, type PublishedSequence, PERSON_FIELDS } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { invalidField, validationFailed } from '@platform/errors';
import { type Model } from 'mongoose';
import { type LeadResponse, toLead } from './dto/lead.dto';
import { type UpdateLeadRequest } from './dto/lead-requests.dto';
import { LeadCampaignService } from './lead-campaign.service';
import { findLead } from './lead-lookup';
import { LeadResumptionService } from './lead-resumption.service';
import { MAX_VARIABLES, tooManyVariables, variableFaults } from './lead-values';
import { canBeFilledIn, getStep } from './lead-variables';
import { LeadRecord } from './schemas/lead.record';

const AUDITED = [...PERSON_FIELDS, 'variables', 'timezone', 'status'] as const;

/** Changing what is known of a person. */
@Injectable()
export class LeadUpdateService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: LeadCampaignService,
    private readonly resumption: LeadResumptionService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Changes what is given. A lead that was paused because a placeholder had no value goes on as soon as it has one.
   * @throws NOT_FOUND, VALIDATION_ERROR naming each field that is wrong
   */
  async update(
    workspace: WorkspaceScope,
    campaignId: string,
    leadId: string,
    request: UpdateLeadRequest,
  ): Promise<LeadResponse> {
    const { variables = {} } = request;
    const faults = variableFaults(variables, 'variables', { removable: true });
    if (faults.length > 0) throw validationFailed(faults);
    const campaign = await this.campaigns.find(workspace, campaignId);
    const sequence = await this.campaigns.sequence(campaign);
    const { record, woken } = await this.transactions.run(() =>
      this.apply(workspace, campaign, sequence, leadId, request),
    );
    if (woken) await this.campaigns.scheduleSending(workspace, woken);
    return toLead(record, getStep(sequence, record));
  }

  /**
   * `update` as a part of the running transaction, for values that are known to be allowed. After the transaction, call
   * `LeadCampaignService.wake` with `woken`, unless it is null.
   * @throws NOT_FOUND, VALIDATION_ERROR when the lead has too many variables then
   */
  async apply(
    workspace: WorkspaceScope,
    { _id: campaignId }: CampaignRecord,
    sequence: PublishedSequence | null,
    leadId: string,
    request: UpdateLeadRequest,
  ): Promise<{ record: LeadRecord; woken: CampaignRecord | null }> {
    const before = await findLead(this.leads, workspace, campaignId, leadId);
    const changes = changesTo(before, request);
    const { workspaceId, _id } = before;
    await this.leads.updateOne({ workspaceId, _id }, { $set: changes });
    const goesOn = waitsForVariables(before, changes, sequence);
    const { campaign } = goesOn ? await this.resumption.resume(workspace, campaignId, [_id]) : { campaign: null };
    const record = await findLead(this.leads, workspace, campaignId, leadId);
    const audited = getChanges(before, record, AUDITED);
    if (audited) {
      const target = { type: 'lead', id: _id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'lead.updated', target, changes: audited });
    }
    return { record, woken: campaign };
  }
}

/** @throws VALIDATION_ERROR when it has too many variables then */
function changesTo(before: LeadRecord, { variables, timezone, ...person }: UpdateLeadRequest): Partial<LeadRecord> {
  const given = PERSON_FIELDS.filter((field) => person[field] !== undefined);
  const merged = { ...before.variables, ...variables };
  const kept = Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null);
  if (kept.length > MAX_VARIABLES) throw invalidField('variables', tooManyVariables('variables'));
  return {
    ...Object.fromEntries(given.map((field) => [field, person[field]])),
    ...(variables && { variables: Object.fromEntries(kept) }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

/** Whether it was paused for want of a value that it has now. */
function waitsForVariables(
  before: LeadRecord,
  changes: Partial<LeadRecord>,
  sequence: PublishedSequence | null,
): boolean {
  if (before.status !== 'paused' || before.stopReason !== 'missing_variable' || !sequence) return false;
  const step = getStep(sequence, before);
  return step === undefined || canBeFilledIn(sequence, step, Object.assign({}, before, changes));
}
