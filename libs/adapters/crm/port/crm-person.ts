/** The value of a field. Instants and days are ISO 8601 text. */
export type CrmValue = string | number | boolean | null | readonly string[];

export type CrmFieldType =
  | 'text'
  | 'number'
  | 'boolean'
  | 'day'
  | 'instant'
  | 'choice'
  | 'choices'
  | 'email'
  | 'phone'
  | 'url'
  | 'reference'
  | 'other';

/** A field of people in this CRM account, custom fields included. */
export interface CrmField {
  /** Name in the API. */
  readonly name: string;
  /** Name in the user interface. */
  readonly label: string;
  readonly type: CrmFieldType;
  readonly isWritable: boolean;
  /** Whether it is a custom field of the account. */
  readonly isCustom: boolean;
  /** Allowed values of a choice, by their API names; null where they are unlimited or unknown. */
  readonly options: readonly string[] | null;
  /** Maximum length of a text; null where it is unknown. */
  readonly maxLength: number | null;
}

/** A person in the CRM: contact (HubSpot, Salesforce, Zoho, Close), person (Pipedrive, Attio). */
export interface CrmPerson {
  readonly externalId: string;
  /** As stored there, the main one first; may be empty. */
  readonly emails: readonly string[];
  /** The requested fields by name; null without a value. */
  readonly fields: Readonly<Record<string, CrmValue>>;
  readonly ownerId: string | null;
  /** Whether the person has opted out of email; null where the vendor has no such field. */
  readonly isOptedOut: boolean | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date;
}
