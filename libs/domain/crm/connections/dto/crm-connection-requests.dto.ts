import { CheckedField, FlagField, OneOfField, TextField, UrlField } from '@platform/validation';
import { OWNER_POLICIES, type OwnerPolicy } from '../schemas/crm-connection.record';

const MAX_KEY = 500;
const MAX_URL = 500;
const MAX_OWNER = 100;
const KEY_FORM = /^[\x21-\x7e]{1,500}$/;

/** Omitted fields stay; a new connection is switched on and keeps owners. */
export class SetCrmRequest {
  @CheckedField(
    {
      name: 'apiKey',
      validate: (value) => typeof value === 'string' && KEY_FORM.test(value),
      message: `$property must be 1 to ${MAX_KEY} visible ASCII characters`,
      schema: { type: 'string', minLength: 1, maxLength: MAX_KEY },
    },
    {
      optional: true,
      about:
        'Key made at the vendor: token of a private app (HubSpot), API token (Pipedrive), API key (Close), access token (Attio). ' +
        'It is tried before it is kept, and never shown again. Salesforce and Zoho are connected by consent only.',
    },
  )
  apiKey?: string;

  @UrlField({
    max: MAX_URL,
    optional: true,
    about:
      "Address of the account, for keys of vendors whose accounts have one of their own (Pipedrive). Default: the vendor's.",
    example: 'https://acme.pipedrive.com',
  })
  accountUrl?: string;

  @FlagField({ optional: true, about: 'false: nothing is synchronised any more until it is switched on again.' })
  enabled?: boolean;

  @OneOfField(OWNER_POLICIES, {
    optional: true,
    about:
      '`keep`: owners at the CRM are never written. `set`: people without an owner get this one, and those who are made.',
  })
  ownerPolicy?: OwnerPolicy;

  @TextField({ max: MAX_OWNER, optional: true, nullable: true, about: 'Id of a user at the CRM, for `set`.' })
  ownerId?: string | null;
}
