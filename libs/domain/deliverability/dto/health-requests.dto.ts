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
        'The domain’s DKIM selector (s= in the DKIM-Signature header), stored for all its mailboxes. ' +
        'null: learned selectors and those of common providers are tried.',
      example: 'google',
    },
  )
  dkimSelector?: string | null;
}

/** Example requests for the documentation. */
export const HEALTH_EXAMPLES: { check: CheckMailboxHealthRequest } = { check: { dkimSelector: 'google' } };
