import { type EnrichmentTable, EnrichmentToolError, EnrichmentToolPort } from '@adapters/enrichment';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type ItemOutcome, type WorkItem } from '../../item-handlers/item-handler';
import { WorkImpossibleError } from '../../item-handlers/item-handler.errors';
import { CallbackTokenService } from '../callback/callback-token.service';
import { type EnrichmentToolRecord } from '../schemas/enrichment-tool.record';
import { EnrichmentToolsService } from '../settings/enrichment-tools.service';
import { affectsAllRows, getRowRetryDelayMs } from './row-retry-delay';
import { getRow, type ItemPerson } from './tool-row';

const HOUR_MS = 3_600_000;

/** Messages for people when no row can be submitted. */
const IMPOSSIBLE: Partial<Record<EnrichmentToolError['reason'], string>> = {
  credentials: 'The enrichment tool rejects the token: set the token that the table shows',
  no_table: 'The address of the enrichment tool accepts no rows: set the address of the table’s webhook',
  quota: 'The account of the enrichment tool has reached its limit of rows',
};

/** Rows that are submitted to one table. */
export interface Round {
  readonly tool: EnrichmentToolRecord;
  readonly table: EnrichmentTable;
  /** No result is accepted after this time. */
  readonly expiresAt: Date;
  readonly signal: AbortSignal;
  /** End of the cooldown that the tool has requested; null without one. */
  cooldownUntil: Date | null;
  /** Why no more rows are submitted; null while they are. */
  stoppedBy: Error | null;
}

/** Submits a row, and decides the outcome for its item and for the following rows. */
@Injectable()
export class EnrichmentRowPushService {
  constructor(
    private readonly rows: EnrichmentToolPort,
    private readonly tools: EnrichmentToolsService,
    private readonly tokens: CallbackTokenService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * @throws WorkImpossibleError when the settings are wrong, for this and all other rows of the round
   * @throws the signal's reason
   */
  async handOver(item: WorkItem, person: ItemPerson, round: Round): Promise<ItemOutcome> {
    round.signal.throwIfAborted();
    if (round.stoppedBy) throw round.stoppedBy;
    if (person.kind === 'invalid_address') return { kind: 'failed', reason: 'invalid_address' };
    if (person.kind === 'lead_gone') return { kind: 'failed', reason: 'lead_gone' };
    if (round.cooldownUntil) return { kind: 'put_back', at: round.cooldownUntil };
    const until = this.#until(round);
    const row = getRow(item, person, this.tokens.createUrl(item, until));
    try {
      await this.rows.addRow(round.table, row, round.signal);
      return { kind: 'handed', until };
    } catch (error) {
      if (error instanceof EnrichmentToolError) return this.#refused(item, error, round);
      throw error;
    }
  }

  async #refused(item: WorkItem, error: EnrichmentToolError, round: Round): Promise<ItemOutcome> {
    if (error.failure === 'permanent') return { kind: 'failed', reason: 'row_refused' };
    if (error.failure === 'needs-human') {
      const why = IMPOSSIBLE[error.reason] ?? 'The enrichment tool cannot be used';
      round.stoppedBy = new WorkImpossibleError('TOOL_NOT_USABLE', `${why} (${error.message})`);
      throw round.stoppedBy;
    }
    const at = this.clock.in(getRowRetryDelayMs(error, item.attempts));
    if (affectsAllRows(error)) {
      round.cooldownUntil = at;
      await this.tools.startCooldown(round.tool, at);
    }
    return error.reason === 'rate_limited'
      ? { kind: 'put_back', at }
      : { kind: 'later', at, reason: 'tool_unavailable' };
  }

  #until({ tool, expiresAt }: Round): Date {
    return new Date(Math.min(this.clock.in(tool.waitHours * HOUR_MS).getTime(), expiresAt.getTime()));
  }
}
