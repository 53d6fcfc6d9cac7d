import { ApiProperty } from '@nestjs/swagger';
import { IdField } from '@platform/validation';

const REPORT_SENDERS = ['mailbox', 'operator', 'none'] as const;
export type ReportSenderKind = (typeof REPORT_SENDERS)[number];

export class UpdateReportSettingsRequest {
  @IdField({ nullable: true, about: 'Mailbox that reports are sent from; null: the server of the operator.' })
  mailboxId!: string | null;
}

export class ReportSettingsResponse {
  @ApiProperty({ type: 'string', nullable: true, description: 'The chosen mailbox.' })
  mailboxId!: string | null;

  @ApiProperty({
    type: 'string',
    enum: REPORT_SENDERS,
    description:
      'What sends the reports now; none: neither a mailbox was chosen nor has the operator a server for them.',
  })
  sender!: ReportSenderKind;

  @ApiProperty({ type: 'string', nullable: true, description: 'The sender address.' })
  from!: string | null;
}
