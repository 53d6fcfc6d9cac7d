import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { EmailField, IdField } from '@platform/validation';
import { ValidateBy } from 'class-validator';
import { MailboxPreferences } from './mailbox-requests.dto';

/** A key file, as an object or as its JSON text; the service validates its content. */
function KeyFileField() {
  const message = '$property must be the key file of a service account: a JSON object, or its text';
  return applyDecorators(
    ValidateBy({ name: 'keyFile', validator: { validate: isKeyFile, defaultMessage: () => message } }),
    ApiProperty({
      description: 'The key file from Google: the object, or its JSON text. Stored encrypted and never returned.',
      oneOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }],
      writeOnly: true,
    }),
  );
}

export class ConnectServiceAccountRequest extends MailboxPreferences {
  @EmailField({ about: 'Address of the mailbox, in the domain that trusts the service account.' })
  email!: string;

  @KeyFileField()
  serviceAccountKey!: object | string;

  @IdField({ optional: true, about: 'A Google mailbox whose credentials are replaced by this key.' })
  mailboxId?: string;
}

function isKeyFile(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
