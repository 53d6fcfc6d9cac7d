import { EnrichmentToolPort, type EnrichmentRow, type EnrichmentTable } from '../port/enrichment-tool.port';
import { EnrichmentToolError, type EnrichmentToolReason } from '../port/enrichment-tool.errors';

/** The scripted outcome of the next row. */
export type ScriptedRefusal =
  | { readonly fails: EnrichmentToolReason; readonly retryAfterMs?: number }
  /** No response until the caller aborts. */
  | 'silence';

/** A tool that accepts and records every row unless a test scripts a failure. */
export class FakeToolDriver extends EnrichmentToolPort {
  readonly rows: { readonly table: EnrichmentTable; readonly row: EnrichmentRow }[] = [];
  readonly #script: ScriptedRefusal[] = [];

  next(...refusals: ScriptedRefusal[]): void {
    this.#script.push(...refusals);
  }

  override async addRow(table: EnrichmentTable, row: EnrichmentRow, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const refusal = this.#script.shift();
    if (refusal === undefined) {
      this.rows.push({ table, row });
      return;
    }
    if (refusal === 'silence') return waitForAbort(signal);
    const { fails, retryAfterMs = null } = refusal;
    throw new EnrichmentToolError(fails, `The fake fails: ${fails}`, { retryAfterMs });
  }
}

function waitForAbort(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
