import { nameFault, PERSON_FIELDS } from '@domain/campaigns';
import { type ErrorDetail } from '@platform/errors';
import { type PersonField } from './schemas/lead.record';

/** Maximum characters of personal fields. */
export const PERSON_LIMITS: Readonly<Record<PersonField, number>> = {
  firstName: 200,
  lastName: 200,
  companyName: 200,
  jobTitle: 200,
  phone: 50,
  website: 500,
  linkedinUrl: 500,
  city: 200,
  country: 200,
};
export const MAX_VARIABLES = 50;
export const MAX_VARIABLE = 2_000;

const OWN_FIELDS: ReadonlySet<string> = new Set(['email', ...PERSON_FIELDS]);

/**
 * Why a variable cannot have this name; null when it can. Checked by hand for speed: each row of an import passes here.
 */
export function findVariableNameFault(name: string): string | null {
  const fault = nameFault(name);
  if (fault !== null) return `is not an allowed name: ${fault}`;
  return OWN_FIELDS.has(name) ? `is a field of the lead, not a variable: set it as ${name}` : null;
}

/** Why a variable or a field cannot have this text; null when it can. */
export function findLeadTextFault(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return 'must be a text';
  if (value.length > max) return `must be a text of at most ${max} characters`;
  return value.isWellFormed() && !value.includes('\0') ? null : 'must be well-formed text without null characters';
}

/**
 * Lists the faults of the variables of a lead.
 * @param at their path in the request: `variables`, `leads.3.variables`
 */
export function listVariableFaults(
  variables: Readonly<Record<string, unknown>>,
  at: string,
  { removable = false }: { removable?: boolean } = {},
): ErrorDetail[] {
  const all = Object.entries(variables);
  if (all.length > MAX_VARIABLES) return [{ field: at, message: createTooManyVariablesMessage(at) }];
  return all.flatMap(([name, value]) => {
    const allowed = removable && value === null;
    const fault = findVariableNameFault(name) ?? (allowed ? null : findLeadTextFault(value, MAX_VARIABLE));
    const field = `${at}.${name}`;
    return fault === null ? [] : [{ field, message: `${field} ${fault}` }];
  });
}

export function createTooManyVariablesMessage(at: string): string {
  return `${at} must have at most ${MAX_VARIABLES} names`;
}
