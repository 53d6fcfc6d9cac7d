import { ApiProperty } from '@nestjs/swagger';
import { CheckedField } from '@platform/validation';
import { type Verification } from '../verdict';
import {
  VERIFICATION_REASONS,
  VERIFICATION_RESULTS,
  type VerificationReason,
  type VerificationResult,
} from '../verdict-reasons';

/** Maximum characters: far more than a valid address has, so that too long addresses get a result of their own. */
const MAX_EMAIL = 1_000;

function isEmailText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_EMAIL && value.isWellFormed();
}

export class VerifyEmailRequest {
  // Neither trimmed nor refused for its form: the faults are the result.
  @CheckedField(
    {
      name: 'emailText',
      validate: isEmailText,
      message: `$property must be a text of at most ${MAX_EMAIL} well-formed characters`,
      schema: { type: 'string', maxLength: MAX_EMAIL, example: 'ada@example.com' },
    },
    { about: 'The address as it is known; a malformed one is `invalid`, at the same price.' },
  )
  email!: string;
}

export class VerificationResponse {
  @ApiProperty({ type: 'string', description: 'As given.' })
  email!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Its normal form; null for an invalid mailbox.' })
  address!: string | null;

  @ApiProperty({ type: 'string', enum: VERIFICATION_RESULTS, description: 'All but `unknown` cost 1 credit.' })
  result!: VerificationResult;

  @ApiProperty({
    type: 'string',
    isArray: true,
    enum: VERIFICATION_REASONS,
    description: 'Reasons of the result, the most important first.',
  })
  reasons!: VerificationReason[];

  @ApiProperty({ type: 'boolean', description: 'Whether its domain offers disposable mailboxes.' })
  isDisposable!: boolean;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether it belongs to a function, such as info, rather than to a person.',
  })
  isRole!: boolean;

  @ApiProperty({ type: 'boolean', description: 'Whether its domain is a free mail provider.' })
  isFree!: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'The host that receives its mail.' })
  mxHost!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The address that was probably meant.' })
  suggestion!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When a retry may bring an answer; null when there is one, or none can be had.',
  })
  retryAt!: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 1, description: 'Charged credits.' })
  creditsUsed!: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  checkedAt!: string;
}

export function toVerification(found: Verification, creditsUsed: number): VerificationResponse {
  const { email, address, result, reasons, isDisposable, isRole, isFree, mxHost, suggestion, retryAt } = found;
  return {
    email,
    address,
    result,
    reasons: [...reasons],
    isDisposable,
    isRole,
    isFree,
    mxHost,
    suggestion,
    retryAt: retryAt?.toISOString() ?? null,
    creditsUsed,
    checkedAt: found.checkedAt.toISOString(),
  };
}

/** Example bodies for the API documentation. */
export const VERIFICATION_EXAMPLES: { verify: VerifyEmailRequest } = { verify: { email: 'ada@example.com' } };
