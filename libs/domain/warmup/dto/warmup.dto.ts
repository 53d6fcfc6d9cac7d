import { MAILBOX_PROVIDERS, type MailboxProvider } from '@domain/mailboxes';
import { ApiProperty } from '@nestjs/swagger';
import { getDefaultConfig } from '../config/warmup-defaults';
import { type Warmup } from '../config/warmup-state';
import { isWarming } from '../config/warmup-status';
import { type RateRange, WARMUP_STATUSES, type WarmupConfig, type WarmupStatus } from '../schemas/warmup.record';

class RateRangeResponse implements RateRange {
  @ApiProperty({ type: 'integer', description: 'Per cent.' })
  min!: number;

  @ApiProperty({ type: 'integer', description: 'Per cent.' })
  max!: number;
}

class ReplyRatesResponse {
  @ApiProperty({ type: RateRangeResponse })
  inbox!: RateRangeResponse;

  @ApiProperty({ type: RateRangeResponse })
  promotions!: RateRangeResponse;

  @ApiProperty({ type: 'integer', description: 'Per cent.' })
  spam!: number;
}

class WarmupGrowthResponse {
  @ApiProperty({ type: 'integer', description: 'Threads that the mailbox opens on its first day.' })
  startingVolume!: number;

  @ApiProperty({ type: 'integer', description: 'Additional threads on each further day with mail.' })
  dailyIncrease!: number;

  @ApiProperty({ type: 'integer', description: 'Highest number of threads a day.' })
  targetVolume!: number;

  @ApiProperty({
    type: ReplyRatesResponse,
    description: 'Share of received mail that the mailbox answers, by the folder of the mail.',
  })
  replyRates!: ReplyRatesResponse;
}

export class WarmupResponse {
  @ApiProperty({ type: 'string' })
  mailboxId!: string;

  @ApiProperty({ type: 'string', enum: MAILBOX_PROVIDERS })
  provider!: MailboxProvider;

  @ApiProperty({ type: 'boolean', description: 'Whether it sends warmup mail: `in_progress` or `completed`.' })
  enabled!: boolean;

  @ApiProperty({
    type: 'string',
    enum: WARMUP_STATUSES,
    description:
      'completed: it has kept its target for 14 days and continues. suspended: the platform stopped it because of the ' +
      'placement of its mail (`suspension` in the settings).',
  })
  status!: WarmupStatus;

  @ApiProperty({ type: 'integer', description: 'Counted from 1; days without mail do not count. 0: not started.' })
  currentDay!: number;

  @ApiProperty({ type: 'integer', description: 'Threads that the mailbox opens on that day.' })
  currentVolume!: number;

  @ApiProperty({ type: WarmupGrowthResponse })
  config!: WarmupGrowthResponse;

  @ApiProperty({ type: WarmupGrowthResponse, description: 'Default settings of a mailbox of this provider.' })
  defaults!: WarmupGrowthResponse;
}

/** Exactly the fields of the contract; `toWarmupSettings` has the other settings. */
export function toWarmup({ mailbox, state }: Warmup): WarmupResponse {
  const { status, currentDay, currentVolume, config } = state;
  return {
    mailboxId: mailbox._id.toHexString(),
    provider: mailbox.provider,
    enabled: isWarming(status),
    status,
    currentDay,
    currentVolume,
    config: toGrowth(config),
    defaults: toGrowth(getDefaultConfig(mailbox.provider)),
  };
}

function toGrowth({ startingVolume, dailyIncrease, targetVolume, replyRates }: WarmupConfig): WarmupGrowthResponse {
  const { inbox, promotions, spam } = replyRates;
  return {
    startingVolume,
    dailyIncrease,
    targetVolume,
    replyRates: {
      inbox: { min: inbox.min, max: inbox.max },
      promotions: { min: promotions.min, max: promotions.max },
      spam,
    },
  };
}
