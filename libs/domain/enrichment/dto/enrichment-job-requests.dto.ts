import { LeadFiltersRequest } from '@domain/leads';
import {
  CheckedField,
  IdField,
  IntegerField,
  ObjectField,
  OneOfField,
  PageQuery,
  TextField,
} from '@platform/validation';
import { ENRICHMENT_TYPES, type EnrichmentType } from '../item-handlers/enrichment-type';

/** Maximum number of items of a job. */
export const MAX_ITEMS = 50_000;
/**
 * Maximum characters of a given address: far more than a valid one has, so that too long addresses get a result of
 * their own.
 */
const MAX_EMAIL = 1_000;

/** A list of texts to check as addresses. Invalid addresses are accepted: their invalidity is the result of the job. */
function EmailTextsField(about: string) {
  const message = `$property must be a list of 1 to ${MAX_ITEMS} texts of at most ${MAX_EMAIL} well-formed characters`;
  const items = { type: 'string', maxLength: MAX_EMAIL } as const;
  const schema = { type: 'array', items, minItems: 1, maxItems: MAX_ITEMS } as const;
  return CheckedField({ name: 'emailTexts', validate: isEmailTexts, message, schema }, { optional: true, about });
}

function isEmailTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 1 && value.length <= MAX_ITEMS && value.every(isEmailText);
}

/** Excludes lone surrogates and NUL, which the database cannot store. */
function isEmailText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_EMAIL && value.isWellFormed() && !value.includes('\0');
}

/** The addresses of a new job: a list, or those of the leads of a campaign. */
export class CreateEnrichmentJobRequest {
  @OneOfField(ENRICHMENT_TYPES)
  type!: EnrichmentType;

  @EmailTextsField('The addresses, instead of campaignId; a repeated address is checked once.')
  emails?: string[];

  @IdField({ optional: true, about: 'The campaign whose leads are checked, instead of emails.' })
  campaignId?: string;

  @ObjectField(() => LeadFiltersRequest, {
    optional: true,
    about: 'With campaignId: only leads that match these conditions.',
  })
  filters?: LeadFiltersRequest;
}

const MOST_PAGES = 1_000_000;

/** Query of the list of jobs, the only list with page numbers. */
export class EnrichmentJobQuery {
  @IntegerField({ min: 1, max: 100, default: 25, optional: true, query: true, about: 'Jobs per page.' })
  limit: number = 25;

  @IntegerField({ min: 1, max: MOST_PAGES, default: 1, optional: true, query: true, about: 'Page, from 1.' })
  page: number = 1;
}

const RESULT = 'Only results of this kind, such as valid or failed.';

/** Query of the CSV file of results. */
export class EnrichmentExportQuery {
  @TextField({ max: 50, optional: true, about: RESULT })
  result?: string;
}

/** Query of the list of results. */
export class EnrichmentResultQuery extends PageQuery {
  @TextField({ max: 50, optional: true, about: RESULT })
  result?: string;
}

/** Example bodies for the API documentation. */
export const ENRICHMENT_EXAMPLES: { create: CreateEnrichmentJobRequest } = {
  create: { type: 'email_verification', emails: ['ada@example.com', 'grace@example.org'] },
};
