import { TestMailResponse } from '@domain/mailboxes';
import { ApiProperty } from '@nestjs/swagger';
import { EmailField, IdField, IntegerField } from '@platform/validation';

/** The email of the sequence: `stepId` or `stepOrder`; without both, the first. */
class EmailChoice {
  @IdField({ optional: true, about: 'The step, as it was published.' })
  stepId?: string;

  @IntegerField({ min: 0, max: 1_000, optional: true, about: 'Place of the step, from 0. Default: 0.' })
  stepOrder?: number;

  @IdField({
    optional: true,
    about: 'Default: the one that the lead will get; without a lead, the first that is used.',
  })
  variantId?: string;

  @IdField({ optional: true, about: 'Lead of the campaign whose values are filled in. Default: made-up values.' })
  leadId?: string;
}

export class PreviewEmailRequest extends EmailChoice {
  @IdField({ optional: true, about: 'Whose name and signature it has. Default: the first mailbox of the campaign.' })
  mailboxId?: string;
}

export class TestEmailRequest extends EmailChoice {
  @IdField({ about: 'Mailbox of the workspace that sends it, independent of its schedule.' })
  mailboxId!: string;

  @EmailField({ about: 'Where it is sent.' })
  to!: string;
}

export class PreviewEmailResponse {
  @ApiProperty({ type: 'string' })
  subject!: string;

  @ApiProperty({ type: 'string', description: 'The HTML, without tracking.' })
  html!: string;

  @ApiProperty({ type: 'string', description: 'The plain-text part.' })
  text!: string;

  @ApiProperty({
    type: 'string',
    isArray: true,
    description:
      'Placeholders that have neither a default nor a value that can stand there; shown as [name]. Such an email is never sent.',
  })
  missing!: string[];
}

export class TestEmailResponse extends TestMailResponse {
  @ApiProperty({ type: 'string' })
  subject!: string;
}

/** Example request bodies of the API documentation. */
export const SENDING_EXAMPLES: { testEmail: TestEmailRequest; preview: PreviewEmailRequest } = {
  testEmail: { mailboxId: '6710f0c2a4b5c6d7e8f90123', to: 'me@example.com', stepOrder: 0 },
  preview: { stepOrder: 1 },
};
