/** Fields of a person beyond the address; all of them are text that placeholders may name. */
export const PERSON_FIELDS = [
  'firstName',
  'lastName',
  'companyName',
  'jobTitle',
  'phone',
  'website',
  'linkedinUrl',
  'city',
  'country',
] as const;

/** What every lead can have; any other name is looked up among the lead's own variables. */
export const LEAD_VARIABLES = ['email', ...PERSON_FIELDS] as const;

/** What the sending mailbox and the email itself provide. A lead's variable of the same name is never used. */
export const SENDER_VARIABLES = [
  'senderName',
  'senderFirstName',
  'senderEmail',
  'signature',
  'unsubscribeLink',
] as const;

/** Names that mean something without any variable of one's own. */
export const STANDARD_VARIABLES = [...LEAD_VARIABLES, ...SENDER_VARIABLES] as const;

/** The one variable whose value is HTML and which may be empty: a mailbox without a signature signs with nothing. */
export const SIGNATURE = 'signature';
