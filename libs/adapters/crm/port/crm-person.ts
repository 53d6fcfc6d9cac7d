/** What a field of a person holds. Instants and days are text of ISO 8601. */
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

/** A field that people have at this CRM account, the account's own ones included. */
export interface CrmField {
  /** As the API names it. */
  readonly name: string;
  /** As people see it. */
  readonly label: string;
  readonly type: CrmFieldType;
  readonly isWritable: boolean;
  /** Whether the account made it. */
  readonly isCustom: boolean;
  /** What a choice may be, as the API names it; null where that is not limited or not told. */
  readonly options: readonly string[] | null;
  /** Most characters of a text; null where that is not told. */
  readonly maxLength: number | null;
}

/** A person as the CRM has it: contact (HubSpot, Salesforce, Zoho, Close), person (Pipedrive, Attio). */
export interface CrmPerson {
  readonly externalId: string;
  /** As they are there, the main one first; may be none. */
  readonly emails: readonly string[];
  /** The fields that were asked for, by name. One that the person does not have is null. */
  readonly fields: Readonly<Record<string, CrmValue>>;
  readonly ownerId: string | null;
  /** Whether the CRM says that the person wants no email; null where the vendor has no such field. */
  readonly isOptedOut: boolean | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date;
}
