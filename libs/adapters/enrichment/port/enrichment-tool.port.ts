/** Where a workspace's rows go. */
export interface EnrichmentTable {
  /** http or https. Whoever knows it may add rows, so it is as secret as the token. */
  readonly webhookUrl: string;
  /** What the table asks for in a header; null where it asks for nothing. */
  readonly authToken: string | null;
}

/** One row, by the names of its columns. */
export type EnrichmentRow = Readonly<Record<string, string>>;

/** A tool that is given rows and tells later, by a request of its own, what it has found for each of them. */
export abstract class EnrichmentToolPort {
  /**
   * Adds one row to a table; nothing is tried again here. A row may be in the table although this failed (`timeout`,
   * `unreachable`): whoever tries again says by a column of the row that it is the same.
   * @throws EnrichmentToolError when the table did not say that it has the row
   * @throws the signal's reason, when that ended the call
   */
  abstract addRow(table: EnrichmentTable, row: EnrichmentRow, signal?: AbortSignal): Promise<void>;
}
