import { type CheckResult, type MailStage, type SendOutcome } from '@adapters/mail';
import { ApiProperty } from '@nestjs/swagger';
import { EmailField } from '@platform/validation';

const STAGES: readonly MailStage[] = [
  'busy',
  'address',
  'resolve',
  'connect',
  'tls',
  'greeting',
  'login',
  'sender',
  'recipient',
  'data',
  'handover',
  'request',
];
const OUTCOMES: readonly SendOutcome['kind'][] = [
  'accepted',
  'withheld',
  'temporary',
  'permanent',
  'needs-human',
  'ambiguous',
];

export class TestMailboxRequest {
  @EmailField({ optional: true, about: 'Sends a short message to this address; it counts against the daily limit.' })
  sendTo?: string;
}

class CheckErrorResponse {
  @ApiProperty({
    type: 'string',
    enum: STAGES,
    description: 'Stage of the failure. busy: the server was not contacted.',
  })
  stage!: MailStage;

  @ApiProperty({ type: 'string', description: 'Explanation in one sentence.' })
  message!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Code in the reply of the server.' })
  code!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The command that the server replied to.' })
  command!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The reply of the server.' })
  response!: string | null;
}

export class CheckResultResponse {
  @ApiProperty({ type: 'boolean' })
  ok!: boolean;

  @ApiProperty({ type: CheckErrorResponse, nullable: true })
  error!: CheckErrorResponse | null;
}

export class TestMailResponse {
  @ApiProperty({ type: 'string' })
  to!: string;

  @ApiProperty({ type: 'string', description: 'With angle brackets.' })
  messageId!: string;

  @ApiProperty({
    type: 'string',
    enum: OUTCOMES,
    description: 'ambiguous: the connection was lost after the handover; the message may have been sent.',
  })
  outcome!: SendOutcome['kind'];

  @ApiProperty({ type: 'string', nullable: true, description: 'The reply of the server, or the error without one.' })
  response!: string | null;
}

export class MailboxTestResponse {
  @ApiProperty({ type: CheckResultResponse, description: 'The server that sends mail.' })
  outgoing!: CheckResultResponse;

  @ApiProperty({ type: CheckResultResponse, description: 'The server that mail is read from.' })
  incoming!: CheckResultResponse;

  @ApiProperty({
    type: TestMailResponse,
    nullable: true,
    description: 'null when no message was requested, or the outgoing server cannot be used.',
  })
  sent!: TestMailResponse | null;
}

/** @param masked removes secrets from a server's text */
export function toCheckResult(result: CheckResult, masked: (text: string) => string): CheckResultResponse {
  if (result.ok) return { ok: true, error: null };
  const { stage, message, lastReply } = result;
  return {
    ok: false,
    error: {
      stage,
      message: masked(message),
      code: lastReply?.code ?? null,
      command: lastReply?.command ?? null,
      response: lastReply ? masked(lastReply.response) : null,
    },
  };
}

/** @param masked removes secrets from a server's text */
export function toTestMail(
  to: string,
  messageId: string,
  outcome: SendOutcome,
  masked: (text: string) => string,
): TestMailResponse {
  const lastReply = getServerResponse(outcome);
  return { to, messageId, outcome: outcome.kind, response: lastReply === null ? null : masked(lastReply) };
}

function getServerResponse(outcome: SendOutcome): string | null {
  if (outcome.kind === 'withheld') return null;
  if (outcome.kind === 'accepted') return outcome.lastReply.response;
  return outcome.lastReply?.response ?? outcome.message;
}
