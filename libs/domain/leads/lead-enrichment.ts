import { PERSON_FIELDS } from '@domain/campaigns';
import { type UpdateLeadRequest } from './dto/lead-requests.dto';
import { MAX_VARIABLE, MAX_VARIABLES, PERSON_LIMITS, findLeadTextFault, findVariableNameFault } from './lead-values';
import { type LeadRecord, type PersonField } from './schemas/lead.record';

/** A value that an enrichment source has found for a lead. */
export interface FoundValue {
  /** Field of a person, or name of a variable. */
  readonly name: string;
  readonly value: string;
}

/** The outcome of a value; `kept`: the lead keeps its own value. */
export type FilledValue = FoundValue &
  ({ readonly outcome: 'filled' | 'kept' } | { readonly outcome: 'refused'; readonly reason: string });

type Person = Pick<LeadRecord, 'variables' | PersonField>;

const FIELDS: ReadonlySet<string> = new Set(PERSON_FIELDS);

/** Why the value is not allowed under this name; null when it is. */
export function findValueFault({ name, value }: FoundValue): string | null {
  if (isField(name)) return findLeadTextFault(value, PERSON_LIMITS[name]);
  return findVariableNameFault(name) ?? findLeadTextFault(value, MAX_VARIABLE);
}

/**
 * Decides the outcome of each value and the resulting changes. Only personal fields and variables can change. Pure.
 * @param overwrite whether a new value replaces an existing one
 */
export function planEnrichment(
  lead: Person,
  found: readonly FoundValue[],
  overwrite: boolean,
): { values: FilledValue[]; changes: UpdateLeadRequest } {
  const person: { [field in PersonField]?: string } = {};
  const variables: Record<string, string> = {};
  let room = MAX_VARIABLES - Object.keys(lead.variables).length;
  const values = found.map(({ name, value }): FilledValue => {
    const fault = findValueFault({ name, value });
    if (fault !== null) return { name, value, outcome: 'refused', reason: fault };
    const former = isField(name) ? lead[name] : Object.hasOwn(lead.variables, name) ? lead.variables[name] : undefined;
    if (former === value || (former && !overwrite)) return { name, value, outcome: 'kept' };
    if (isField(name)) person[name] = value;
    else if (former === undefined && room === 0) {
      return { name, value, outcome: 'refused', reason: `a lead has at most ${MAX_VARIABLES} variables` };
    } else {
      variables[name] = value;
      if (former === undefined) room -= 1;
    }
    return { name, value, outcome: 'filled' };
  });
  return { values, changes: { ...person, ...(Object.keys(variables).length > 0 && { variables }) } };
}

function isField(name: string): name is PersonField {
  return FIELDS.has(name);
}
