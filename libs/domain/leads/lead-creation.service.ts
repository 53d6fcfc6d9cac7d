import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { invalidField, validationFailed } from '@platform/errors';
import { type LeadsAddedResponse } from './dto/lead.dto';
import { type AddLeadsRequest, type NewLeadRequest } from './dto/lead-requests.dto';
import { LeadInsertionService } from './lead-insertion.service';
import { variableFaults } from './lead-values';

/** Adding leads by the API. */
@Injectable()
export class LeadCreationService {
  constructor(
    private readonly insertion: LeadInsertionService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Adds one lead or up to a thousand, all that can be added, and tells what became of the others.
   * @throws NOT_FOUND, CONFLICT for an archived campaign, LIMIT_EXCEEDED, VALIDATION_ERROR naming each field that is wrong
   *   (`leads.3.email`), with nothing added
   */
  async add(workspace: WorkspaceScope, campaignId: string, request: AddLeadsRequest): Promise<LeadsAddedResponse> {
    const rows = rowsOf(request);
    const faults = rows.flatMap(({ variables = {} }, index) => {
      return variableFaults(variables, request.leads ? `leads.${index}.variables` : 'variables');
    });
    if (faults.length > 0) throw validationFailed(faults);
    const { created, leads, duplicates, suppressed } = await this.insertion.insert(workspace, campaignId, rows, {
      verify: request.verify,
    });
    if (created > 0) {
      await this.audit.record(workspace, {
        action: 'leads.added',
        target: { type: 'campaign', id: campaignId.toLowerCase() },
        changes: { leads: { from: null, to: created } },
      });
    }
    const shown = leads.map(({ index, _id, email }) => ({ index, _id: _id.toHexString(), email }));
    return { created, leads: shown, duplicates, suppressed };
  }
}

/** Exactly one of the two ways to name them. */
function rowsOf({ leads, verify: _verify, ...single }: AddLeadsRequest): NewLeadRequest[] {
  const given = Object.values(single).some((value) => value !== undefined);
  if (leads !== undefined) {
    if (given) throw invalidField('leads', 'leads must not be given beside the fields of a single lead');
    return leads;
  }
  const { email } = single;
  if (email === undefined)
    throw invalidField('email', 'email is missing: give it for a single lead, or leads for several');
  return [{ ...single, email }];
}
