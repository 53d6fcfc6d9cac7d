import { LEAD_VARIABLES, SIGNATURE, type VariableLookup } from '@domain/campaigns';

/** The values of a lead for placeholders; a `LeadRecord` has them. */
export interface LeadValues {
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly companyName?: string;
  readonly jobTitle?: string;
  readonly phone?: string;
  readonly website?: string;
  readonly linkedinUrl?: string;
  readonly city?: string;
  readonly country?: string;
  /** Further values by name. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Values of the sender. */
export interface SenderValues {
  readonly displayName: string;
  readonly email: string;
  readonly unsubscribeUrl: string;
  /** HTML or text, depending on the template. Called only if a template uses it. */
  readonly signature: () => string;
}

const LEAD_NAMES: ReadonlySet<string> = new Set(LEAD_VARIABLES);
type LeadName = (typeof LEAD_VARIABLES)[number];

/** Resolves a name: first among the sender's names, then the lead's fields, then the lead's variables. */
export function emailVariables(lead: LeadValues, sender: SenderValues): VariableLookup {
  return (name) => {
    switch (name) {
      case 'senderName':
        return sender.displayName;
      case 'senderFirstName':
        return sender.displayName.trim().split(/\s+/)[0];
      case 'senderEmail':
        return sender.email;
      case SIGNATURE:
        return sender.signature();
      case 'unsubscribeLink':
        return sender.unsubscribeUrl;
      default:
        return (LEAD_NAMES.has(name) && lead[name as LeadName]) || ownValue(lead.variables, name);
    }
  };
}

/**
 * Variables come from an import as a plain object: `constructor` and `__proto__` are variables only if the lead defines
 * them.
 */
function ownValue(variables: LeadValues['variables'], name: string): string | undefined {
  if (variables === undefined || !Object.hasOwn(variables, name)) return undefined;
  // The column is mixed: a number is shown, an object is not.
  const value: unknown = variables[name];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
