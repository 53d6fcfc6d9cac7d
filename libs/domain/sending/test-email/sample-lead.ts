import { LEAD_VARIABLES, SENDER_VARIABLES, type Template } from '@domain/campaigns';
import { type LeadValues } from '../render/email-variables';

const PERSON = {
  email: 'grace.hopper@example.com',
  firstName: 'Grace',
  lastName: 'Hopper',
  companyName: 'Example Inc.',
  jobTitle: 'Head of Sales',
  phone: '+1 202 555 0100',
  website: 'https://www.example.com',
  linkedinUrl: 'https://www.linkedin.com/in/example',
  city: 'Arlington',
  country: 'United States',
} as const satisfies Record<(typeof LEAD_VARIABLES)[number], string>;

const KNOWN: ReadonlySet<string> = new Set([...LEAD_VARIABLES, ...SENDER_VARIABLES]);

/**
 * Returns a fictitious lead with a value for each placeholder. A custom variable without a default shows its name, such
 * as [industry].
 */
export function sampleLead(templates: readonly Template[]): LeadValues {
  const own = templates.flatMap(({ needs }) => needs.filter(({ name }) => !KNOWN.has(name)));
  const links = own
    .filter(({ place }) => place === 'link')
    .map(({ name }) => [name, `https://www.example.com/${name}`]);
  const texts = own.map(({ name }) => [name, `[${name}]`]);
  // A link is valid wherever a text is.
  return { ...PERSON, variables: Object.fromEntries([...texts, ...links]) as Record<string, string> };
}
