import { ApiProperty } from '@nestjs/swagger';
import { CheckedField } from '@platform/validation';
import {
  VERIFICATION_REASONS,
  VERIFICATION_RESULTS,
  type VerificationReason,
  type VerificationResult,
} from '../verdict-reasons';
import { type Verification } from '../email-verification.service';

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
    { about: 'The address as you have it; one that is no address is invalid, and costs as much.' },
  )
  email!: string;
}

export class VerificationResponse {
  @ApiProperty({ type: 'string', description: 'As it was given.' })
  email!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Its normal form; null when it is no mailbox.' })
  address!: string | null;

  @ApiProperty({ type: 'string', enum: VERIFICATION_RESULTS, description: 'All but `unknown` cost 1 credit.' })
  result!: VerificationResult;

  @ApiProperty({
    type: 'string',
    isArray: true,
    enum: VERIFICATION_REASONS,
    description: 'What the result rests on, the most important first.',
  })
  reasons!: VerificationReason[];

  @ApiProperty({ type: 'boolean', description: 'Mailboxes of its domain are given away for a short time.' })
  isDisposable!: boolean;

  @ApiProperty({ type: 'boolean', description: 'It belongs to a function, such as info, rather than a person.' })
  isRole!: boolean;

  @ApiProperty({ type: 'boolean', description: 'At a provider where anybody may have an address.' })
  isFree!: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'The host that takes mail for it.' })
  mxHost!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'What was probably meant: a guess.' })
  suggestion!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When asking again may bring an answer; null when there is one, or none to be had.',
  })
  retryAt!: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 1, description: 'What it cost.' })
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
