import { type LeadRecord } from '@domain/leads';
import { type MailboxRecord } from '@domain/mailboxes';
import { SEND_STATES, type SendRecord, type SendState } from '@domain/sends';
import { ApiProperty } from '@nestjs/swagger';
import { type LimitName, type LimitState } from '../decide/facts';
import { type MissingValue } from '../explain/missing-values';
import { LIMIT_NAMES, type Reason, REASON_NAMES, REASONS } from '../explain/reasons';

/** `planned` is internal: the email was withheld, or its server deferred it. */
const SHOWN_STATES = SEND_STATES.filter((state) => state !== 'planned');
type ShownState = Exclude<SendState, 'planned'>;

const DECISIONS = ['send', 'wait', 'stop'] as const;
export type DecisionKind = (typeof DECISIONS)[number];

export class LimitResponse {
  @ApiProperty({ type: 'string', enum: LIMIT_NAMES })
  limit!: LimitName;

  @ApiProperty({ type: 'string' })
  message!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'How much is used, where something is counted.' })
  used!: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  max!: number | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When this limit alone ends; null when only an act of a person or an event ends it.',
  })
  until!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The reply of the mail server, if it is the cause.' })
  detail!: string | null;

  @ApiProperty({ type: 'boolean', description: 'Whether this is the one that holds longest.' })
  binding!: boolean;
}

export class SenderResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  email!: string;
}

export const EMAIL_PARTS = ['subject', 'body'] as const;

export class MissingValueResponse {
  @ApiProperty({ type: 'string', description: 'Name of the placeholder, which has no default.' })
  placeholder!: string;

  @ApiProperty({ type: 'string', enum: EMAIL_PARTS, description: 'The part of the email that contains it.' })
  part!: (typeof EMAIL_PARTS)[number];

  @ApiProperty({ type: 'string' })
  stepId!: string;

  @ApiProperty({ type: 'integer', description: 'Place of the step, from 0.' })
  step!: number;

  @ApiProperty({ type: 'string' })
  variantId!: string;

  @ApiProperty({ type: 'string', description: 'Name of the variant that the lead gets.' })
  variant!: string;
}

export const HISTORY_KINDS = ['email', 'stop'] as const;

export class HistoryResponse {
  @ApiProperty({ type: 'string', enum: HISTORY_KINDS })
  kind!: (typeof HISTORY_KINDS)[number];

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Of a stop: when the lead was last changed.' })
  at!: string;

  @ApiProperty({ type: 'string', nullable: true, enum: [...SHOWN_STATES, null], description: 'Of an email.' })
  state!: ShownState | null;

  @ApiProperty({ type: 'string', nullable: true })
  stepId!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Place of the step when it was sent, from 0.' })
  step!: number | null;

  @ApiProperty({ type: 'string', nullable: true })
  mailboxId!: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  attempts!: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The last words of the mail server, verbatim.' })
  serverResponse!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it was not sent, or why the lead was stopped.' })
  message!: string | null;
}

/** Why a lead has or has not received an email. */
export class ExplanationResponse {
  @ApiProperty({ type: 'string', enum: DECISIONS })
  decision!: DecisionKind;

  @ApiProperty({ type: 'string', enum: REASON_NAMES })
  reason!: Reason;

  @ApiProperty({ type: 'string', description: 'The reason in one sentence.' })
  message!: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'The earliest time at which it can be sent.',
  })
  nextEligibleAt!: string | null;

  @ApiProperty({ type: SenderResponse, nullable: true, description: 'The mailbox that this is said of.' })
  mailbox!: SenderResponse | null;

  @ApiProperty({ type: [LimitResponse], description: 'All that holds the email back now.' })
  limits!: LimitResponse[];

  @ApiProperty({ type: [MissingValueResponse], description: 'For `missing_variable`: what the next email lacks.' })
  missing!: MissingValueResponse[];

  @ApiProperty({ type: [HistoryResponse], description: 'Oldest first.' })
  history!: HistoryResponse[];
}

export function toLimit({ name, used, max, until, detail, binding }: LimitState): LimitResponse {
  return {
    limit: name,
    message: REASONS[name],
    used: used ?? null,
    max: max ?? null,
    until: until?.toISOString() ?? null,
    detail: detail ?? null,
    binding,
  };
}

export function toMissing({ need, part, step, variant }: MissingValue): MissingValueResponse {
  return {
    placeholder: need.name,
    part,
    stepId: step._id.toHexString(),
    step: step.order,
    variantId: variant._id.toHexString(),
    variant: variant.name,
  };
}

export function toSender({ _id, email }: Pick<MailboxRecord, '_id' | 'email'>): SenderResponse {
  return { _id: _id.toHexString(), email };
}

/** Lists emails in the order of their claims, then the reason for which the lead was stopped. */
export function toHistory(lead: LeadRecord, sends: readonly SendRecord[]): HistoryResponse[] {
  return [...sends.map(toEmail), ...(lead.stopReason === null ? [] : [toStop(lead, lead.stopReason)])];
}

function toEmail(send: SendRecord): HistoryResponse {
  return {
    kind: 'email',
    at: (send.sentAt ?? send.handoverAt ?? send.claimedAt).toISOString(),
    // The handover did not take place and may never do so; the API shows this as `withheld`.
    state: send.state === 'planned' ? 'withheld' : send.state,
    stepId: send.stepId.toHexString(),
    step: send.stepOrder,
    mailboxId: send.mailboxId.toHexString(),
    attempts: send.attempt,
    serverResponse: send.lastReply?.response ?? null,
    message: send.reason,
  };
}

function toStop({ updatedAt, mailboxId }: LeadRecord, reason: Reason): HistoryResponse {
  return {
    kind: 'stop',
    at: updatedAt.toISOString(),
    state: null,
    stepId: null,
    step: null,
    attempts: null,
    serverResponse: null,
    mailboxId: mailboxId?.toHexString() ?? null,
    message: REASONS[reason],
  };
}
