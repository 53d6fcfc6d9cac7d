import { IntersectionType } from '@nestjs/swagger';
import {
  EmailField,
  PageQuery,
  FlagField,
  IdField,
  OneOfField,
  TextField,
  TimeZoneField,
  ObjectField,
  ObjectsField,
} from '@platform/validation';
import { PERSON_LIMITS } from '../lead-values';
import { LEAD_STATUSES, type LeadStatus, STOP_REASONS, type StopReason } from '../schemas/lead.record';
import { LeadIdsField, VariablesField } from './lead-fields.decorator';

const ZONE = 'The zone of the person, where it is known.';

class PersonRequest {
  @TextField({ min: 0, max: PERSON_LIMITS.firstName, optional: true })
  firstName?: string;

  @TextField({ min: 0, max: PERSON_LIMITS.lastName, optional: true })
  lastName?: string;

  @TextField({ min: 0, max: PERSON_LIMITS.companyName, optional: true })
  companyName?: string;

  @TextField({ min: 0, max: PERSON_LIMITS.jobTitle, optional: true })
  jobTitle?: string;

  @TextField({ min: 0, max: PERSON_LIMITS.phone, optional: true })
  phone?: string;

  @TextField({ min: 0, max: PERSON_LIMITS.website, optional: true })
  website?: string;

  @TextField({ min: 0, max: PERSON_LIMITS.linkedinUrl, optional: true })
  linkedinUrl?: string;

  @TextField({ min: 0, max: PERSON_LIMITS.city, optional: true })
  city?: string;

  @TextField({ min: 0, max: PERSON_LIMITS.country, optional: true })
  country?: string;

  @TimeZoneField({ optional: true, nullable: true, about: ZONE })
  timezone?: string | null;
}

export class NewLeadRequest extends PersonRequest {
  @EmailField({ about: 'One address is in a campaign once.' })
  email!: string;

  @VariablesField({ optional: true, about: 'Further values for placeholders, by name.' })
  variables?: Record<string, string>;
}

const MAX_LEADS = 1_000;

/** Either `leads`, or the fields of a single lead. */
export class AddLeadsRequest extends PersonRequest {
  @ObjectsField(() => NewLeadRequest, { min: 1, max: MAX_LEADS, optional: true, about: 'Instead of a single lead.' })
  leads?: NewLeadRequest[];

  @EmailField({ optional: true, about: 'Of a single lead.' })
  email?: string;

  @FlagField({ optional: true, about: 'Whether addresses are verified first. Default: as the campaign says.' })
  verify?: boolean;

  @VariablesField({ optional: true, about: 'Further values for placeholders, by name.' })
  variables?: Record<string, string>;
}

/** Omitted fields stay unchanged. The address cannot change: another address is another lead. */
export class UpdateLeadRequest extends PersonRequest {
  @VariablesField({ optional: true, removable: true, about: 'Those named are set, or taken away with null.' })
  variables?: Record<string, string | null>;
}

const ANSWERS = ['true', 'false'] as const;
const CONTACTED = 'Only leads that were sent an email, or only those that were not.';

/** Conditions on leads; all given conditions must hold. */
class LeadConditionsRequest {
  @OneOfField(LEAD_STATUSES, { optional: true })
  status?: LeadStatus;

  @OneOfField(STOP_REASONS, { optional: true })
  stopReason?: StopReason;

  @IdField({ optional: true, about: 'Only leads that this mailbox writes to.' })
  mailboxId?: string;

  @IdField({ optional: true, about: 'Only leads for whom this step is the next one.' })
  stepId?: string;

  @IdField({ optional: true, about: 'Only leads of this import.' })
  importId?: string;

  @TextField({ min: 0, max: 100, optional: true, about: 'Case-insensitive literal text to look for.' })
  search?: string;
}

/** Query of the export: the conditions of the list, without pages. */
export class LeadExportQuery extends LeadConditionsRequest {
  @OneOfField(ANSWERS, { optional: true, about: CONTACTED })
  contacted?: (typeof ANSWERS)[number];
}

/** Query of the list. */
export class LeadQuery extends IntersectionType(PageQuery, LeadExportQuery) {}

/** The conditions of the list, in a body. */
export class LeadFiltersRequest extends LeadConditionsRequest {
  @FlagField({ optional: true, about: CONTACTED })
  contacted?: boolean;
}

const LEAD_ACTIONS = ['pause', 'resume', 'remove'] as const;
export type LeadAction = (typeof LEAD_ACTIONS)[number];

const MAX_IDS = 10_000;
const LEADS = 'The leads: at least one, unless selectAll is true. Ids of other campaigns are ignored.';

export class LeadActionRequest {
  @OneOfField(LEAD_ACTIONS)
  action!: LeadAction;

  @LeadIdsField({ min: 0, max: MAX_IDS, optional: true, about: LEADS })
  leadIds?: string[];

  @FlagField({ optional: true, about: 'true: all leads of the campaign, instead of leadIds.' })
  selectAll?: boolean;

  @ObjectField(() => LeadFiltersRequest, {
    optional: true,
    about: 'With selectAll: only leads that the list would show.',
  })
  filters?: LeadFiltersRequest;

  @LeadIdsField({ min: 0, max: MAX_IDS, optional: true, about: 'With selectAll: leads that are left out.' })
  excludeIds?: string[];
}
