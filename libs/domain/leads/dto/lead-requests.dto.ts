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

const ZONE = 'Time zone of the person, if known.';

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
  @EmailField({ about: 'A campaign has each address at most once.' })
  email!: string;

  @VariablesField({ optional: true, about: 'Further values for placeholders, by name.' })
  variables?: Record<string, string>;
}

const MAX_LEADS = 1_000;

/** Either `leads`, or the fields of a single lead. */
export class AddLeadsRequest extends PersonRequest {
  @ObjectsField(() => NewLeadRequest, {
    min: 1,
    max: MAX_LEADS,
    optional: true,
    about: 'Several leads, instead of the fields of a single lead.',
  })
  leads?: NewLeadRequest[];

  @EmailField({ optional: true, about: 'Address of a single lead.' })
  email?: string;

  @FlagField({ optional: true, about: 'Whether addresses are verified first. Default: the setting of the campaign.' })
  verify?: boolean;

  @VariablesField({ optional: true, about: 'Further values for placeholders, by name.' })
  variables?: Record<string, string>;
}

/** Omitted fields stay unchanged. The address cannot change: another address is another lead. */
export class UpdateLeadRequest extends PersonRequest {
  @VariablesField({ optional: true, removable: true, about: 'Named variables are set, or removed with null.' })
  variables?: Record<string, string | null>;
}

const ANSWERS = ['true', 'false'] as const;
const CONTACTED = 'Only leads with a sent email (true), or without one (false).';

/** Conditions on leads; all given conditions must hold. */
class LeadConditionsRequest {
  @OneOfField(LEAD_STATUSES, { optional: true })
  status?: LeadStatus;

  @OneOfField(STOP_REASONS, { optional: true })
  stopReason?: StopReason;

  @IdField({ optional: true, about: 'Only leads whose sender is this mailbox.' })
  mailboxId?: string;

  @IdField({ optional: true, about: 'Only leads whose next step is this one.' })
  stepId?: string;

  @IdField({ optional: true, about: 'Only leads of this import.' })
  importId?: string;

  @TextField({ min: 0, max: 100, optional: true, about: 'Text to search for, case-insensitive.' })
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
    about: 'With selectAll: only leads that match these conditions.',
  })
  filters?: LeadFiltersRequest;

  @LeadIdsField({ min: 0, max: MAX_IDS, optional: true, about: 'With selectAll: leads to leave out.' })
  excludeIds?: string[];
}
