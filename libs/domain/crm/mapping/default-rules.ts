import { type CrmField, type CrmType } from '@adapters/crm';
import { type FieldRule, type MappingRule, type RuleDirection } from './field-rule';

/** Default mappings by the API names of the vendors. The company is often a separate record and then read-only. */
const DEFAULTS: Readonly<
  Record<CrmType, readonly (readonly [lead: string, crm: string, direction?: RuleDirection])[]>
> = {
  hubspot: [
    ['firstName', 'firstname'],
    ['lastName', 'lastname'],
    ['companyName', 'company'],
    ['jobTitle', 'jobtitle'],
    ['phone', 'phone'],
    ['website', 'website'],
    ['city', 'city'],
    ['country', 'country'],
  ],
  salesforce: [
    ['firstName', 'FirstName'],
    ['lastName', 'LastName'],
    ['companyName', 'Account.Name', 'pull'],
    ['jobTitle', 'Title'],
    ['phone', 'Phone'],
    ['city', 'MailingCity'],
    ['country', 'MailingCountry'],
  ],
  pipedrive: [
    ['firstName', 'first_name'],
    ['lastName', 'last_name'],
    ['companyName', 'org_name', 'pull'],
    ['jobTitle', 'job_title'],
    ['phone', 'phones'],
  ],
  zoho: [
    ['firstName', 'First_Name'],
    ['lastName', 'Last_Name'],
    ['companyName', 'Account_Name.Account_Name', 'pull'],
    ['jobTitle', 'Title'],
    ['phone', 'Phone'],
    ['city', 'Mailing_City'],
    ['country', 'Mailing_Country'],
  ],
  close: [
    ['firstName', 'first_name'],
    ['lastName', 'last_name'],
    ['companyName', 'lead_name', 'pull'],
    ['jobTitle', 'title'],
    ['phone', 'phone'],
  ],
  attio: [
    ['firstName', 'name.first_name'],
    ['lastName', 'name.last_name'],
    ['jobTitle', 'job_title'],
    ['phone', 'phone_numbers'],
    ['linkedinUrl', 'linkedin'],
    ['city', 'primary_location.locality', 'pull'],
  ],
};

/** Returns the default rules whose fields the account has, in the allowed direction. Pure. */
export function getDefaultRules(type: CrmType, fields: readonly CrmField[]): MappingRule[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return DEFAULTS[type].flatMap(([lead, crm, direction = 'both']) => {
    const field = byName.get(crm);
    if (!field) return [];
    const possible = field.isWritable ? direction : 'pull';
    return [toStoredRule({ lead, crm, direction: possible, overwrite: 'when_empty', values: null }, field)];
  });
}

/** A rule with the metadata of its CRM field. */
export function toStoredRule(
  rule: FieldRule,
  field: Pick<MappingRule, 'type' | 'options' | 'maxLength'> | null,
): MappingRule {
  return {
    ...rule,
    type: field?.type ?? null,
    options: field?.options ?? null,
    maxLength: field?.maxLength ?? null,
  };
}
