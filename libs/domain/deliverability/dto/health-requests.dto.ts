import { CheckedField } from '@platform/validation';
import { getSelector } from '../dkim/selectors';

export class CheckMailboxHealthRequest {
  @CheckedField(
    {
      name: 'dkimSelector',
      validate: (value) => typeof value === 'string' && getSelector(value) !== null,
      message: '$property must be a DKIM selector, such as s1 or mail.2026, or null',
      schema: { type: 'string', minLength: 1, maxLength: 128 },
    },
    {
      optional: true,
      nullable: true,
      about:
        'The DKIM selector that the domain signs with (s= in the DKIM-Signature header), kept for all its mailboxes. ' +
        'null: learned ones and those of the usual providers are tried again.',
      example: 'google',
    },
  )
  dkimSelector?: string | null;
}

/** Bodies for the documentation, as somebody would send them. */
export const HEALTH_EXAMPLES: { check: CheckMailboxHealthRequest } = { check: { dkimSelector: 'google' } };
