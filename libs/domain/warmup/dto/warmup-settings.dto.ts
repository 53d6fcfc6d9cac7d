import { ApiProperty } from '@nestjs/swagger';
import { type Warmup } from '../config/warmup-state';
import { getMaxOpenings, getWarmupShare } from '../plan/volume';
import {
  SLOWDOWN_REASONS,
  type SlowdownReason,
  SUSPENSION_CODES,
  type SuspensionCode,
  WARMUP_LANGUAGES,
  WARMUP_TEXT_SOURCES,
  type WarmupLanguage,
  type WarmupTextSource,
} from '../schemas/warmup.record';

class SlowdownResponse {
  @ApiProperty({
    type: 'string',
    enum: SLOWDOWN_REASONS,
    description:
      'spam: more than a fifth of its mail was found in spam. settings: the settings were raised during a run. ' +
      'suspension: the warmup was resumed after a suspension.',
  })
  reason!: SlowdownReason;

  @ApiProperty({ type: 'integer', description: 'Current limit of threads a day; it rises by `dailyIncrease` a day.' })
  ceiling!: number;
}

class SuspensionResponse {
  @ApiProperty({ type: 'string', enum: SUSPENSION_CODES })
  code!: SuspensionCode;

  @ApiProperty({ type: 'string', description: 'One sentence with the figures.' })
  message!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
}

export class WarmupSettingsResponse {
  @ApiProperty({ type: 'string' })
  mailboxId!: string;

  @ApiProperty({ type: 'boolean', description: 'Whether it pauses on Saturdays and Sundays.' })
  weekdaysOnly!: boolean;

  @ApiProperty({ type: 'string', enum: WARMUP_LANGUAGES, isArray: true })
  languages!: WarmupLanguage[];

  @ApiProperty({ type: 'string', description: 'IANA time zone of the days and hours.' })
  timezone!: string;

  @ApiProperty({ type: 'boolean', description: 'Whether this is the mailbox’s own time zone, and changes with it.' })
  followsMailboxTimezone!: boolean;

  @ApiProperty({ type: 'string', description: 'HH:MM' })
  windowStart!: string;

  @ApiProperty({ type: 'string', description: 'HH:MM; 23:59 is midnight' })
  windowEnd!: string;

  @ApiProperty({ type: 'integer', description: 'Share of `dailySendLimit` that warmup may use, in per cent.' })
  budgetShare!: number;

  @ApiProperty({ type: 'integer', description: 'The same share in emails a day, answers included.' })
  mostEmailsPerDay!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Threads a day that this share allows with their answers; a higher `targetVolume` is not reached.',
  })
  mostThreadsPerDay!: number;

  @ApiProperty({
    type: 'boolean',
    description:
      'Whether another mailbox is in warmup and connected, and shares a language. Without ' +
      'one no thread is opened, and the day does not count.',
  })
  hasPeers!: boolean;

  @ApiProperty({ type: 'string', enum: WARMUP_TEXT_SOURCES })
  textSource!: WarmupTextSource;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  startedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  completedAt!: string | null;

  @ApiProperty({
    type: SlowdownResponse,
    nullable: true,
    description: 'Why the warmup sends less than its day and settings allow.',
  })
  slowdown!: SlowdownResponse | null;

  @ApiProperty({ type: SuspensionResponse, nullable: true, description: 'Why the platform suspended the warmup.' })
  suspension!: SuspensionResponse | null;
}

/** Settings that the contract’s response does not name. */
export function toWarmupSettings({ mailbox, state }: Warmup, hasPeers: boolean): WarmupSettingsResponse {
  const { config, slowdown, suspension, startedAt, completedAt } = state;
  return {
    mailboxId: mailbox._id.toHexString(),
    weekdaysOnly: config.weekdaysOnly,
    languages: [...config.languages],
    timezone: config.timezone ?? mailbox.timezone,
    followsMailboxTimezone: config.timezone === null,
    windowStart: config.windowStart,
    windowEnd: config.windowEnd,
    budgetShare: config.budgetShare,
    mostEmailsPerDay: getWarmupShare(mailbox.dailySendLimit, config),
    mostThreadsPerDay: getMaxOpenings(mailbox.dailySendLimit, config),
    hasPeers,
    textSource: config.textSource,
    startedAt: startedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
    slowdown: slowdown && { reason: slowdown.reason, ceiling: slowdown.ceiling },
    suspension: suspension && {
      code: suspension.code,
      message: suspension.message,
      at: suspension.at.toISOString(),
    },
  };
}
