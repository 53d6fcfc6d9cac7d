import { type CrmStore, type StoredPerson } from './crm-store';

/** A field of contacts in the describe result. */
interface ContactField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly length: number;
  readonly custom: boolean;
  readonly createable: boolean;
  readonly updateable: boolean;
  readonly calculated: boolean;
  readonly restrictedPicklist: boolean;
  readonly picklistValues: readonly { readonly value: string; readonly label: string; readonly active: boolean }[];
}

export type Values = Readonly<Record<string, unknown>>;

export interface RecordError {
  readonly statusCode: string;
  readonly message: string;
  readonly fields: readonly string[];
  readonly duplicateResult?: unknown;
}

const READ_ONLY = { createable: false, updateable: false };

function field(name: string, type: string, length = 0, more: Partial<ContactField> = {}): ContactField {
  return {
    name,
    label: name.replace(/__c$/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' '),
    type,
    length,
    custom: name.endsWith('__c'),
    createable: true,
    updateable: true,
    calculated: false,
    restrictedPicklist: false,
    picklistValues: [],
    ...more,
  };
}

/** Lengths as in the Object Reference, "Contact". */
export const CONTACT_FIELDS: readonly ContactField[] = [
  field('Id', 'id', 18, READ_ONLY),
  field('AccountId', 'reference', 18),
  field('LastName', 'string', 80),
  field('FirstName', 'string', 40),
  field('Name', 'string', 121, READ_ONLY),
  field('MailingAddress', 'address', 0, READ_ONLY),
  field('Title', 'string', 128),
  field('Phone', 'phone', 40),
  field('Email', 'email', 80),
  field('Birthdate', 'date'),
  field('DoNotCall', 'boolean'),
  field('HasOptedOutOfEmail', 'boolean'),
  field('OwnerId', 'reference', 18),
  field('CreatedDate', 'datetime', 0, READ_ONLY),
  field('SystemModstamp', 'datetime', 0, READ_ONLY),
  field('Nickname__c', 'string', 255),
  field('Score__c', 'double'),
  field('Initials__c', 'string', 10, { ...READ_ONLY, calculated: true }),
  field('Stage__c', 'picklist', 255, {
    restrictedPicklist: true,
    picklistValues: ['New', 'Replied', 'Won'].map((value) => ({ value, label: value, active: true })),
  }),
];

/** Stored next to the fields. */
const STORED: ReadonlySet<string> = new Set([
  'Id',
  'Email',
  'OwnerId',
  'HasOptedOutOfEmail',
  'CreatedDate',
  'SystemModstamp',
]);

export function toValue(person: StoredPerson, name: string): unknown {
  switch (name) {
    case 'Id':
      return person.id;
    case 'Email':
      return person.emails[0] ?? null;
    case 'OwnerId':
      return person.ownerId;
    case 'HasOptedOutOfEmail':
      return person.isOptedOut;
    case 'CreatedDate':
      return getInstant(person.createdAt);
    case 'SystemModstamp':
      return getInstant(person.updatedAt);
    default:
      return person.fields[name] ?? null;
  }
}

/** A value as text; empty for any other value. */
export function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Salesforce stores whole seconds. */
export function getInstant(at: Date): string {
  return at.toISOString().replace(/\.\d{3}Z$/, '.000+0000');
}

/** The fault of a whole request: values that do not parse as the type of their field. */
export function unreadable(records: readonly Values[]): string | null {
  for (const record of records) {
    for (const { name, type } of CONTACT_FIELDS) {
      const value = record[name] ?? null;
      if (value === null) continue;
      const fits =
        (type !== 'date' || /^\d{4}-\d{2}-\d{2}$/.test(shown(value))) &&
        (type !== 'double' || Number.isFinite(Number(value))) &&
        (type !== 'boolean' || typeof value === 'boolean' || value === 'true' || value === 'false');
      if (!fits) return `Cannot deserialize instance of ${type} from VALUE_STRING value ${shown(value)}`;
    }
  }
  return null;
}

/** The fault of one record. */
export function findRefusal(record: Values, isNew: boolean): RecordError | null {
  for (const [name, value] of Object.entries(record)) {
    if (name === 'attributes' || name === 'Id') continue;
    const known = CONTACT_FIELDS.find((one) => one.name === name);
    if (!known) return error('INVALID_FIELD', `No such column '${name}' on sobject of type Contact`);
    if (!known.createable) {
      const message = `Unable to create/update fields: ${name}. Please check the security settings of this field.`;
      return error('INVALID_FIELD_FOR_INSERT_UPDATE', message, [name]);
    }
    if (typeof value === 'string' && known.length > 0 && value.length > known.length) {
      return error('STRING_TOO_LONG', `${known.label}: data value too large (max length=${known.length})`, [name]);
    }
    const isKnownValue = known.picklistValues.some((one) => one.value === value);
    if (known.restrictedPicklist && value !== null && !isKnownValue) {
      const message = `${known.label}: bad value for restricted picklist field: ${shown(value)}`;
      return error('INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', message, [name]);
    }
  }
  const { LastName: lastName, Email: email, OwnerId: ownerId } = record;
  if ((isNew || lastName !== undefined) && (lastName ?? '') === '') {
    return error('REQUIRED_FIELD_MISSING', 'Required fields are missing: [LastName]', ['LastName']);
  }
  if (typeof email === 'string' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    return error('INVALID_EMAIL_ADDRESS', `Email: invalid email address: ${email}`, ['Email']);
  }
  if (typeof ownerId === 'string' && !/^005\w{12}(?:\w{3})?$/.test(ownerId)) {
    return error('INVALID_CROSS_REFERENCE_KEY', 'Owner ID: owner cannot be blank', ['OwnerId']);
  }
  return null;
}

export function error(statusCode: string, message: string, fields: readonly string[] = []): RecordError {
  return { statusCode, message, fields };
}

/**
 * The standard duplicate rule for contacts with the action "block": the contacts with this address (Salesforce Help, "Standard Duplicate
 * Rules").
 */
export function getDuplicates(store: CrmStore, email: unknown, hasDetails: boolean): RecordError | null {
  const found = typeof email === 'string' ? store.withEmail(email) : [];
  if (found.length === 0) return null;
  const matchRecords = found.map((person) => ({
    additionalInformation: [],
    fieldDiffs: [],
    matchConfidence: 100,
    record: {
      attributes: { type: 'Contact', url: `/services/data/v62.0/sobjects/Contact/${person.id}` },
      Id: person.id,
      ...(hasDetails && { Email: person.emails[0], LastName: person.fields['LastName'] }),
    },
  }));
  const matchResults = [
    {
      entityType: 'Contact',
      errors: [],
      matchEngine: 'FuzzyMatchEngine',
      matchRecords,
      rule: 'Standard_Contact_Match_Rule',
      size: found.length,
      success: true,
    },
  ];
  return {
    ...error('DUPLICATES_DETECTED', 'Use one of these records?'),
    duplicateResult: {
      allowSave: false,
      duplicateRule: 'Standard_Contact_Duplicate_Rule',
      duplicateRuleEntityType: 'Contact',
      errorMessage: 'Use one of these records?',
      matchResults,
    },
  };
}

/** The changes of a record for the store. */
export function getChanges(record: Values) {
  const { Email: email, OwnerId: ownerId, HasOptedOutOfEmail: isOptedOut } = record;
  const own = Object.entries(record).filter(([name]) => name !== 'attributes' && !STORED.has(name));
  return {
    fields: Object.fromEntries(own.map(([name, value]) => [name, value === '' ? null : value])),
    ...(email !== undefined && { emails: typeof email === 'string' && email !== '' ? [email] : [] }),
    ...(typeof ownerId === 'string' && { ownerId }),
    ...(isOptedOut !== undefined && { isOptedOut: shown(isOptedOut) === 'true' }),
  };
}
