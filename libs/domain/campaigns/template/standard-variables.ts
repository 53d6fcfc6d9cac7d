/** Fields of a person beyond the address. All are text and can be used in placeholders. */
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

/** Variables of every lead; any other name is looked up among the lead's own variables. */
export const LEAD_VARIABLES = ['email', ...PERSON_FIELDS] as const;

/** Values of the sending mailbox and the email itself. A lead's variable of the same name is never used. */
export const SENDER_VARIABLES = [
  'senderName',
  'senderFirstName',
  'senderEmail',
  'signature',
  'unsubscribeLink',
] as const;

/** Reserved names; they need no variable of the lead. */
export const STANDARD_VARIABLES = [...LEAD_VARIABLES, ...SENDER_VARIABLES] as const;

/** The only variable with an HTML value. It may be empty, because a mailbox can have no signature. */
export const SIGNATURE = 'signature';
