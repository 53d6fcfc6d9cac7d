import { OutboundError, type OutboundHttpClient, type OutboundResponse } from '@platform/outbound';
import { EnrichmentToolPort, type EnrichmentRow, type EnrichmentTable } from '../port/enrichment-tool.port';
import { EnrichmentToolError } from '../port/enrichment-tool.errors';
import { parseFailure, toExchangeError } from './clay-response';

export interface ClayOptions {
  /** Timeout of one row in milliseconds. */
  readonly timeoutMs: number;
}

/** The header for the token of a table's webhook. */
const TOKEN_HEADER = 'x-clay-webhook-auth';
/** Maximum size of a row at Clay. */
const MAX_ROW_BYTES = 100_000;
/** Maximum size of a response; Clay sends some twenty bytes. */
const MAX_ANSWER_BYTES = 16 * 1024;

/**
 * Tables with a webhook source, as in Clay: each POST of a JSON object becomes a row
 * (https://university.clay.com/docs/webhook-integration-guide). Clay accepts ten rows per second, twenty concurrently and 50 000 per
 * webhook. Any tool that accepts rows in the same way can be used.
 */
export class ClayToolDriver extends EnrichmentToolPort {
  constructor(
    private readonly http: OutboundHttpClient,
    private readonly options: ClayOptions,
    private readonly now: () => Date,
  ) {
    super();
  }

  override async addRow(table: EnrichmentTable, row: EnrichmentRow, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const body = JSON.stringify(row);
    if (Buffer.byteLength(body) > MAX_ROW_BYTES) {
      throw new EnrichmentToolError(
        'rejected',
        `The row is larger than the ${MAX_ROW_BYTES} bytes that a table accepts`,
      );
    }
    const host = getHost(table.webhookUrl);
    const response = await this.#post(table, body, host, signal);
    const failure = parseFailure(response, host, this.now());
    if (failure) throw failure;
  }

  async #post(table: EnrichmentTable, body: string, host: string, signal?: AbortSignal): Promise<OutboundResponse> {
    try {
      return await this.http.request({
        url: table.webhookUrl,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(table.authToken !== null && { [TOKEN_HEADER]: table.authToken }),
        },
        body,
        timeoutMs: this.options.timeoutMs,
        maxResponseBytes: MAX_ANSWER_BYTES,
        // The status confirms the row, even if the body of the response never arrives.
        keepIncomplete: true,
        ...(signal && { signal }),
      });
    } catch (error) {
      throw error instanceof OutboundError ? toExchangeError(error, host) : error;
    }
  }
}

/** The part of a URL that may be shown. */
function getHost(url: string): string {
  return URL.parse(url)?.host ?? 'The address';
}
